"""Cases worth having: made, checked, blessed, and chosen for what they cover."""

"""Well-formed inputs made by chance: boards, tables, actions, and small changes to them."""

from evolution import Trait

TRAITS = {"beauty": Trait()}

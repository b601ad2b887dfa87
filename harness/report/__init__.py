"""How results are shown: each report is one module here, drawn from the records of a run."""

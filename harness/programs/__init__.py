"""The x-programs: what each answers, once or in a stream."""

include Operation

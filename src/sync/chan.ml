include Passing
include Select

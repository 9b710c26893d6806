let hash_table (_ : Keys.t) () = []
let accumulator (_ : int) () = []
let hash_table_cells = []
let location = []

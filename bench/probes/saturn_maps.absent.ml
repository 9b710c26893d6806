let skip_list (_ : Keys.t) () = []
let hash_table (_ : Keys.t) () = []
let skip_list_cells = []
let hash_table_cells = []

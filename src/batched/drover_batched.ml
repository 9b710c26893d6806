module Counter = Counter
module Hash_table = Hash_table
module Op = Op
module Ordered_map = Ordered_map
module Priority_queue = Priority_queue
module Tree_map = Tree_map
module Union_find = Union_find
module Vector = Vector

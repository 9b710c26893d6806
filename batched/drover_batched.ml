module Op = Op
module Ordered_map = Ordered_map
module Tree_map = Tree_map

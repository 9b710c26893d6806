type ('k, 'v) t = { compare : 'k -> 'k -> int; tree : ('k, 'v) Tree.t }

let of_tree compare tree = { compare; tree }
let tree m = m.tree
let comparison m = m.compare

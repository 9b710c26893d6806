include Ordered_map

let to_array t = Tree_map.to_array (snapshot t)
let range t ~lo ~hi = Tree_map.to_array (range t ~lo ~hi)

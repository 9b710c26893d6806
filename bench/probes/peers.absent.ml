let maps = []
let tables = []
let places = []

(* Arrays: what Drover.Array is made of. *)

include (Stdlib.Array : Serial.Array)
include Arrays_map
include Arrays_move
include Arrays_fold
include Arrays_find
include Arrays_filter
include Arrays_scan

let sum_ints = Sums_of_ints.sum
let sum_floats = Sums_of_floats.sum
let scan_ints = Sums_of_ints.scan
let scan_floats = Sums_of_floats.scan
let scan_ints_inplace = Sums_of_ints.scan_inplace
let scan_floats_inplace = Sums_of_floats.scan_inplace
let merge = Sort.merge
let stable_sort = Sort.stable
let sort = Sort.stable
let fast_sort = Sort.stable
let sort_ints = Numbers.sort_ints
let sort_floats = Numbers.sort_floats
let sort_by_key = Radix_sort.by_key
let kth_smallest = Quickselect.kth_smallest
let shuffle = Shuffle.shuffle
let histogram = Histogram.histogram
let group_by = Group_by.group_by
let reduce_by = Reduce_by.reduce_by
let count_by = Reduce_by.count_by
let distinct = Reduce_by.distinct
let join_by = Group_by.join_by

(** Strings in parallel.

    [Bytes.unsafe_to_string] makes bytes a string for these functions, if nobody writes them
    meanwhile. What is called how often, exceptions and independence of the number of domains are as
    for [Drover.Array]; in the bounds, n is the length. *)

val count : (char -> bool) -> string -> int
(** [count f s] is the number of characters that satisfy [f]. Work O(n), span O(log n) and n / 512
    steps. *)

val find_index : (char -> bool) -> string -> int option
(** [find_index f s] is the index of the first character that satisfies [f]. Bounds of {!count}. *)

val find : sub:string -> string -> int option
(** [find ~sub s] is the first index from which on [s] reads [sub]. Work O(n m), span O(log n) and n
    m / 512 steps, where m is the length of [sub]; both are O(n) on usual texts. *)

val lines : string -> string array
(** [lines s] is the lines of [s], without their ends ['\n']. What follows the last ['\n'] is a line
    if it is not empty. Work O(n), span O(log n), n / 512 steps and the longest line. *)

val words : string -> string array
(** [words s] is the longest pieces of [s] without white space: space, ['\t'], ['\n'], ['\011'],
    ['\012'], ['\r']. Work O(n), span O(log n), n / 512 steps and the longest word. *)

val fold_lines :
  init:(unit -> 'acc) -> merge:('acc -> 'acc -> 'acc) -> ('acc -> string -> 'acc) -> string -> 'acc
(** [fold_lines ~init ~merge step s] is [step] of each of {!lines}[ s], in order, with states as
    [Drover.parallel_fold] has them. No array is made. Bounds of {!lines}, and the merges. *)

val fold_words :
  init:(unit -> 'acc) -> merge:('acc -> 'acc -> 'acc) -> ('acc -> string -> 'acc) -> string -> 'acc
(** [fold_words ~init ~merge step s] is the same of each of {!words}[ s]. *)

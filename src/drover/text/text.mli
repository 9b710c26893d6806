(** Strings, and files of lines, in parallel.

    To use these functions on bytes that nobody writes to meanwhile, convert them by
    [Bytes.unsafe_to_string]. How often functions are called, exceptions and independence of the
    number of domains are as in [Drover.Array]; in the bounds, n is the length. *)

val count : (char -> bool) -> string -> int
(** [count f s] is the number of characters that satisfy [f]. Work O(n), span O(log n) plus n / 512
    steps. *)

val find_index : (char -> bool) -> string -> int option
(** [find_index f s] is the index of the first character that satisfies [f]. Bounds of {!count}. *)

val find : sub:string -> string -> int option
(** [find ~sub s] is the first index at which [sub] occurs in [s]. Work O(n m), span O(log n) plus n
    m / 512 steps, where m is the length of [sub]; both are O(n) on usual texts. *)

val lines : string -> string array
(** [lines s] is the array of the lines of [s], without their final ['\n']. What follows the last
    ['\n'] is a line if it is not empty. Work O(n), span O(log n) plus n / 512 steps plus the
    longest line. *)

val words : string -> string array
(** [words s] is the array of the words of [s], which are separated by white space: space, ['\t'],
    ['\n'], ['\011'], ['\012'], ['\r']. Work O(n), span O(log n) plus n / 512 steps plus the longest
    word. *)

val fold_lines :
  make:(unit -> 'acc) -> merge:('acc -> 'acc -> 'acc) -> ('acc -> string -> 'acc) -> string -> 'acc
(** [fold_lines ~make ~merge step s] applies [step] to each of {!lines}[ s], in order, with states
    as in [Drover.parallel_fold]. No array is made. Bounds of {!lines}, plus the merges. *)

val fold_words :
  make:(unit -> 'acc) -> merge:('acc -> 'acc -> 'acc) -> ('acc -> string -> 'acc) -> string -> 'acc
(** [fold_words ~make ~merge step s] is the same for each of {!words}[ s]. *)

(** {1 Files} *)

val fold_lines_of_file :
  ?ending:char ->
  make:(unit -> 'acc) ->
  merge:('acc -> 'acc -> 'acc) ->
  ('acc -> string -> 'acc) ->
  string ->
  'acc
(** [fold_lines_of_file ~make ~merge step path] applies [step] to each line of the file [path], in
    order, with states as in [Drover.parallel_fold]. Lines are those of {!lines}, or what ends with
    [ending]; a ['\r'] before that is part of the line. The file may be larger than memory: each
    state has a window of 64 KB on it, or twice the longest line.

    The file is divided at places that depend on its size; each worker reads by a descriptor of its
    own. What is no regular file, such as a pipe, is read by one worker, from the beginning, with
    one state. A file that becomes longer meanwhile is read up to where it ended, and to the end of
    that line; one that becomes shorter, up to where it ends then.

    Suspends or blocks as the loops do. The caller and the workers read in place: they wait for a
    disk, or for a pipe, without other work meanwhile. Raises [Sys_error], which names the file, if
    it cannot be opened or read, and what the functions raise. Work: that of the serial loop, plus
    the merges; span: O(log n) forks and merges plus the longest piece, of up to 256 KB, and line.
*)

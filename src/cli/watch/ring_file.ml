type t = string

let make ~dir pid = Filename.concat dir (string_of_int pid ^ ".events")

(* Eight words: version, most domains, size of a ring's header, size of a ring in bytes and in words,
   where the headers are, where the rings are, where the names of events are. *)
let header_words = 8
let headers_at = 5
let rings_at = 6

let words ic ~at count =
  In_channel.seek ic (Int64.of_int at);
  let word bytes i = Int64.to_int (String.get_int64_ne bytes (8 * i)) in
  Option.map
    (fun bytes -> Array.init count (word bytes))
    (In_channel.really_input_string ic (8 * count))

let read file f = try In_channel.with_open_bin file f with Sys_error _ -> None

(* The last word is written last. *)
let is_complete file =
  match read file (fun ic -> words ic ~at:0 header_words) with
  | Some header -> header.(header_words - 1) <> 0
  | None -> false

(* Of the main domain's ring, which is the first. *)
type state = {
  head : int; (* how many words have been written over *)
  tail : int; (* how many have been written *)
  first_time : int; (* of the event at the start of the ring *)
}

let state file =
  let ( let* ) = Option.bind in
  read file (fun ic ->
      let* header = words ic ~at:0 header_words in
      let* ends = words ic ~at:header.(headers_at) 2 in
      let* first = words ic ~at:header.(rings_at) 2 in
      Some { head = ends.(0); tail = ends.(1); first_time = first.(1) })

let is_continued ~before now =
  match (before, now) with
  | Some before, Some now ->
      before.tail = 0
      || now.tail >= before.tail
         && (before.head > 0 || now.head > 0 || now.first_time = before.first_time)
  | _ -> true

(* Trial: one run of the program with a setting: its time, its memory, and whether it did the same. *)

open Drover_watch

(* What OCaml's collector says at the end, if the environment wants it to (OCAMLRUNPARAM=v=0x400). *)
type gc = { minor_collections : float; major_collections : float; allocated_words : float }

type t = {
  status : Unix.process_status;
  seconds : float;
  memory : float; (* bytes at most, as far as was seen *)
  output : Digest.t;
  last_lines : string; (* of both outputs *)
  gc : gc option;
}

(* The most that the process has had so far; Linux tells, until it has ended. *)
let memory pid =
  let of_line line = Scanf.sscanf_opt line "VmHWM: %f kB" (fun kb -> kb *. 1024.) in
  match In_channel.with_open_bin (Printf.sprintf "/proc/%d/status" pid) In_channel.input_lines with
  | lines -> Option.value (List.find_map of_line lines) ~default:0.
  | exception Sys_error _ -> 0.

let shown_lines = 10

let ending file =
  In_channel.with_open_bin file (fun ic ->
      let size = In_channel.length ic in
      In_channel.seek ic (Int64.max 0L (Int64.sub size 4096L));
      String.split_on_char '\n' (In_channel.input_all ic) |> List.filter (( <> ) ""))

let figures_of_gc =
  [
    "allocated_words";
    "minor_words";
    "promoted_words";
    "major_words";
    "minor_collections";
    "major_collections";
    "forced_major_collections";
    "heap_words";
    "top_heap_words";
    "mean_space_overhead";
  ]

let figure_of_gc line =
  match String.split_on_char ':' line with
  | [ name; value ] when List.mem name figures_of_gc ->
      Option.map (fun value -> (name, value)) (float_of_string_opt (String.trim value))
  | _ -> None

(* Of programs that start others, the last one to end counts. *)
let gc file =
  let ( let* ) = Option.bind in
  let figures = List.rev (List.filter_map figure_of_gc (ending file)) in
  let* minor_collections = List.assoc_opt "minor_collections" figures in
  let* major_collections = List.assoc_opt "major_collections" figures in
  let* allocated_words = List.assoc_opt "allocated_words" figures in
  Some { minor_collections; major_collections; allocated_words }

let last_lines files =
  let lines = List.concat_map ending files in
  let lines = List.filter (fun line -> figure_of_gc line = None) lines in
  List.drop (Int.max 0 (List.length lines - shown_lines)) lines |> String.concat "\n"

let with_output f =
  let file = Filename.temp_file "drover" ".output" in
  Fun.protect
    ~finally:(fun () -> Sys.remove file)
    (fun () ->
      let fd = Unix.openfile file [ O_WRONLY; O_CLOEXEC ] 0o600 in
      Fun.protect ~finally:(fun () -> Unix.close fd) (fun () -> f file fd))

let run program ~bindings =
  let bindings = List.map (fun (name, value) -> name ^ "=" ^ value) bindings in
  with_output (fun out stdout ->
      with_output (fun err stderr ->
          let most = ref 0. in
          let on_look pid = most := Float.max !most (memory pid) in
          let status, seconds = Watch.run_timed ~bindings ~stdout ~stderr program ~on_look in
          {
            status;
            seconds;
            memory = !most;
            output = Digest.file out;
            last_lines = last_lines [ out; err ];
            gc = gc err;
          }))

open Drover_watch
module Recorded = Drover_sim_replay.Recorded

type t = {
  status : Unix.process_status;
  seconds : float;
  scalability : Drover.Scalability.t;
  recorded : Recorded.t option; (* if that was wanted *)
}

(* What the library writes when the program ends; see [Scalability]. *)

let site words : Drover.Scalability.site =
  match words with
  | calls :: iterations :: work :: span :: place ->
      {
        calls = int_of_string calls;
        iterations = int_of_string iterations;
        work = float_of_string work;
        span = float_of_string span;
        place = String.concat " " place;
      }
  | _ -> failwith "site"

let parse lines : Drover.Scalability.t =
  match List.map (String.split_on_char ' ') lines with
  | [ "program"; work; span; burdened; measuring ] :: sites ->
      {
        work = float_of_string work;
        span = float_of_string span;
        burdened_span = float_of_string burdened;
        measuring = float_of_string measuring;
        sites = List.map (fun line -> site (List.tl line)) sites;
      }
  | _ -> failwith "program"

let parse_all lines =
  let is_figure line = not (String.starts_with ~prefix:"recording " line) in
  let figures = List.take_while is_figure lines and rest = List.drop_while is_figure lines in
  (parse figures, if rest = [] then None else Some (Recorded.parse rest))

(* The library makes the file when the program begins, and fills it when the program ends. *)
let read ic =
  match In_channel.input_lines ic with
  | [] -> Some None
  | lines -> ( try Some (Some (parse_all lines)) with Failure _ -> None)

let nothing (program : Program.t) status =
  program.path
  ^ ": it said nothing about its work: it does not use Drover. If it starts the program that does, \
     name that one." ^ Watch.ending status

let no_end (program : Program.t) status =
  program.path
  ^ ": it uses Drover, but says what was measured only when it comes to its end. A program that is \
     killed, calls Unix._exit or becomes another one (exec) does not." ^ Watch.ending status

let run ?stdout ?(records = false) program =
  let start = Unix.gettimeofday () in
  let bindings = if records then [ "DROVER_SCALE_RECORDS=1" ] else [] in
  match Watch.run_for_file ~bindings ?stdout program ~variable:"DROVER_SCALE" read with
  | Ok (status, Some (Some (scalability, recorded))) ->
      Ok { status; seconds = Unix.gettimeofday () -. start; scalability; recorded }
  | Ok (status, Some None) -> Error (no_end program status)
  | Ok (status, None) -> Error (nothing program status)
  | Error _ as error -> error

open Drover_watch

type t = { status : Unix.process_status; seconds : float; scalability : Drover.Scalability.t }

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

(* The library makes the file when the program begins, and fills it when the program ends. *)
let read ic =
  match In_channel.input_lines ic with
  | [] -> Some None
  | lines -> ( try Some (Some (parse lines)) with Failure _ -> None)

let nothing (program : Program.t) status =
  program.path
  ^ ": it said nothing about its work: it does not use Drover. If it starts the program that does, \
     name that one." ^ Watch.ending status

let no_end (program : Program.t) status =
  program.path
  ^ ": it uses Drover, but says what was measured only when it comes to its end. A program that is \
     killed, calls Unix._exit or becomes another one (exec) does not." ^ Watch.ending status

let run ?stdout program =
  let start = Unix.gettimeofday () in
  match Watch.run_for_file ?stdout program ~variable:"DROVER_SCALE" read with
  | Ok (status, Some (Some scalability)) ->
      Ok { status; seconds = Unix.gettimeofday () -. start; scalability }
  | Ok (status, Some None) -> Error (no_end program status)
  | Ok (status, None) -> Error (nothing program status)
  | Error _ as error -> error

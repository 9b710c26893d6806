open Drover_watch

type t = { status : Unix.process_status; scalability : Drover.Scalability.t }

(* What the library writes when the program ends; see [Scalability]. *)

let site words : Drover.Scalability.site =
  match words with
  | calls :: work :: span :: place ->
      {
        calls = int_of_string calls;
        work = float_of_string work;
        span = float_of_string span;
        place = String.concat " " place;
      }
  | _ -> failwith "site"

let parse lines : Drover.Scalability.t =
  match List.map (String.split_on_char ' ') lines with
  | [ "program"; work; span; burdened ] :: sites ->
      {
        work = float_of_string work;
        span = float_of_string span;
        burdened_span = float_of_string burdened;
        sites = List.map (fun line -> site (List.tl line)) sites;
      }
  | _ -> failwith "program"

let read ic = try Some (parse (In_channel.input_lines ic)) with Failure _ -> None

let nothing (program : Program.t) status =
  program.path
  ^ ": it said nothing about its work. It must use Drover and end by itself; if it starts the \
     program that does, name that one." ^ Watch.ending status

let run program =
  match Watch.run_for_file program ~variable:"DROVER_SCALE" read with
  | Ok (status, Some scalability) -> Ok { status; scalability }
  | Ok (status, None) -> Error (nothing program status)
  | Error _ as error -> error

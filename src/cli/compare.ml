(* Compare: the program in turns with itself on one domain, or with another command. *)

open Drover_show
open Drover_watch
open Drover_stat
open Drover_tune

type base = One_domain | Command of Program.t

let turns = 5
let budget = 60. (* seconds *)

(* The collector reports at the end of the program what it did, on the error output, which is not shown. *)
let reporting =
  let theirs = List.find_map Sys.getenv_opt [ "OCAMLRUNPARAM"; "CAMLRUNPARAM" ] in
  [ ("OCAMLRUNPARAM", String.concat "," (Option.to_list theirs @ [ "v=0x400" ])) ]

let side command (trials : Trial.t list) : Comparison.side =
  let median f trials = Stats.median (Array.of_list (List.map f trials)) in
  let reports = List.filter_map (fun (t : Trial.t) -> t.gc) trials in
  let gc () : Comparison.gc =
    {
      minor = median (fun (gc : Trial.gc) -> gc.minor_collections) reports;
      major = median (fun (gc : Trial.gc) -> gc.major_collections) reports;
      words = median (fun (gc : Trial.gc) -> gc.allocated_words) reports;
    }
  in
  {
    command;
    times = Array.of_list (List.map (fun (t : Trial.t) -> t.seconds) trials);
    memory = median (fun (t : Trial.t) -> t.memory) trials;
    gc = (if List.length reports = List.length trials then Some (gc ()) else None);
  }

(* [None] if the program fails on one domain. *)
let in_turns (base : Bench.t) setting (own : Bench.t) =
  let until = Bench.elapsed own +. budget in
  let trial bench setting = Bench.trial bench setting ~bindings:reporting in
  let rec go trials =
    let start = Bench.elapsed own in
    let of_base = trial base setting in
    let of_own = trial own Setting.as_it_is in
    match (of_base, of_own) with
    | Some a, Some b ->
        let trials = (a, b) :: trials and now = Bench.elapsed own in
        if List.length trials < turns && now +. (now -. start) <= until then go trials
        else Some (List.split (List.rev trials))
    | _ -> None
  in
  Progress.begins own.progress (2 * turns);
  go []

(* And what is to be said of it. *)
let run (own : Bench.t) base_ =
  let base, setting, over =
    match base_ with
    | One_domain -> (own, { Setting.as_it_is with domains = Some 1 }, "one domain")
    | Command program ->
        let base = Bench.beside own program in
        (base, Setting.as_it_is, Filename.basename program.path)
  in
  let machine = Contention.start () in
  let compare () =
    let comparison (of_base, of_own) : Comparison.t =
      {
        over;
        base = side (Bench.line base setting) of_base;
        own = side (Bench.line own Setting.as_it_is) of_own;
        others = Contention.others machine;
      }
    in
    Option.map comparison (in_turns base setting own)
  in
  let warnings () =
    Bench.warnings own
    @
    if base == own then []
    else
      List.map (fun warning -> over ^ ": " ^ warning) (Bench.warnings base)
      @
      if base.first = own.first then []
      else [ Printf.sprintf "The output of %s is another than the program's." over ]
  in
  match Bench.guard own compare with
  | Ok comparison -> (comparison, warnings ())
  | Error why -> (None, [ "There is no comparison: " ^ why ])

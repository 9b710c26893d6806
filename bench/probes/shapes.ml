open Drover_harness

type t = {
  name : string;
  operations : int;
  serial : unit -> int;
  versions : (unit, int) Kernel.version list;
}

let problem shape =
  Kernel.Problem
    {
      about = "";
      input = Fun.id;
      serial = shape.serial;
      versions = shape.versions;
      check = Kernel.equal string_of_int;
      note = Fun.const "";
      picture = None;
    }

let figures ?goal plan ~unit_ shape =
  let outcome, _ = Measure.kernel plan ~progress:ignore ~name:shape.name (problem shape) in
  let figure (row : Outcome.row) =
    let column = Printf.sprintf "%s@%d" row.version row.domains in
    let goal = if row.version = "drover" then goal else None in
    let ns = row.seconds.median *. 1e9 /. float shape.operations in
    if List.mem row.version [ Outcome.serial; Outcome.same_heap ] then None
    else Some (Probe.figure ?goal ~column shape.name unit_ ns)
  in
  List.filter_map figure outcome.rows

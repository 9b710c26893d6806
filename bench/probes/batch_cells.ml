open Drover_harness

(* A record that is to stay consistent. *)
type account = { mutable count : int; mutable sum : int }
type deposit = { amount : int; mutable count_after : int }

let deposit account d =
  account.count <- account.count + 1;
  account.sum <- account.sum + d.amount;
  d.count_after <- account.count

let by f amount =
  let d = { amount; count_after = 0 } in
  f d;
  ignore (Sys.opaque_identity d.count_after : int)

let new_account () = { count = 0; sum = 0 }
let plain () = by (deposit (new_account ()))
let locked () = by (Cells.locked (deposit (new_account ())))

let batched () =
  let deposit = deposit (new_account ()) in
  let one op =
    deposit op;
    true
  in
  let batch = Drover.Batch.create ~one (Array.iter deposit) in
  by (Drover.Batch.submit batch)

let rivals = [ "mutex" ]

let records =
  let make create = Cells.of_operation (fun _ -> create ()) in
  [
    Cells.serial (make plain);
    Cells.ours "own batch" ~rivals (make batched);
    Cells.rival "mutex" (make locked);
  ]

let tables =
  [
    Cells.serial (Cells.of_map Table_cells.stdlib);
    Cells.ours "own batch" ~rivals
      (Cells.of_map (fun size -> Cells.batched_map (Table_cells.stdlib size)));
    Cells.rival "mutex" (Cells.of_map (fun size -> Cells.locked_map (Table_cells.stdlib size)));
  ]

(* In no loop. The goal is the mutex's time and 20 ns. *)
let alone (s : Probe.settings) =
  let n = Kernel.by_size s.size ~tiny:1000 ~quick:1_000_000 ~full:10_000_000 in
  let singly f () =
    for i = 0 to n - 1 do
      f i
    done
  in
  let versions = List.map singly [ plain (); batched (); locked () ] in
  let row = "a record, alone" and ns seconds = seconds *. 1e9 /. float n in
  match List.map ns (Drover.run ~domains:1 (fun () -> Turns.medians 7 versions)) with
  | [ plain; batch; mutex ] ->
      let figure column = Probe.figure ~column row "ns" in
      let goal = Probe.At_most ((mutex +. 20.) /. mutex) in
      [
        figure "serial" plain;
        figure "own batch" batch;
        figure "mutex" mutex;
        Probe.ratio ~goal ~column:"own batch / best" row batch mutex;
      ]
  | _ -> assert false (* one median for each version *)

let run (s : Probe.settings) =
  let of_keys = Cells.by_keys ~look_ups:[ 50 ] s.size in
  alone s
  @ Cells.figures s { rows = [ ("a record", 0) ]; look_ups = [ 0 ] } records
  @ Cells.figures s of_keys tables

let probe : Probe.t =
  {
    name = "batch-cells";
    doc = "batches of one's own in loops, ns: what is shared, work between, domains";
    run;
  }

open Drover_harness

let sizes = [ 10; 100; 1_000; 10_000; 100_000; 1_000_000 ]
let is_small n = n <= 100

(* Both in turns, in rounds of so many seconds. *)
let round = 2e-4

let medians rounds (serial, ours) =
  let (), once = Clock.time serial in
  let times = int_of_float (ceil (round /. Float.max once 1e-8)) in
  let often f () =
    for _ = 1 to times do
      f ()
    done
  in
  match Turns.medians rounds [ often serial; often ours ] with
  | [ serial; ours ] -> (serial /. float times, ours /. float times)
  | _ -> assert false (* one median for each version *)

let figures (row : Sweep_rows.row) ~domains n (serial, ours) =
  let label = Printf.sprintf "%s, %d" row.name domains and column = string_of_int n in
  let wanted = if domains > 1 && n >= 100_000 then row.shared else Float.min 0.95 row.alone in
  let goal = if is_small n then None else Some (Probe.At_least wanted) in
  let speed = Probe.figure ?goal ~column label Probe.as_fast (serial /. ours) in
  let more () =
    Probe.figure ~goal:(At_most 100.) ~column:("ns, " ^ column) label "ns" ((ours -. serial) *. 1e9)
  in
  if is_small n then [ speed; more () ] else [ speed ]

let of_row (s : Probe.settings) (row : Sweep_rows.row) =
  let upto = Kernel.by_size s.size ~tiny:10 ~quick:1_000_000 ~full:1_000_000 in
  let rounds = Kernel.by_size s.size ~tiny:1 ~quick:9 ~full:31 in
  let sizes = List.filter (fun n -> n <= upto) sizes in
  let on domains =
    let measure n =
      (* Small ones are repeated more often: they take no time. *)
      let rounds = if n < 100_000 then 5 * rounds else rounds in
      Drover.run ~domains (fun () -> figures row ~domains n (medians rounds (row.case n)))
    in
    List.concat_map measure sizes
  in
  List.concat_map on s.plan.domains

let run (s : Probe.settings) = List.concat_map (of_row s) Sweep_rows.all

let doc =
  "how many times as fast as serial programs array functions are on 10 to 1,000,000 elements, and \
   what a call costs more"

let probe : Probe.t = { name = "sweep"; doc; run }

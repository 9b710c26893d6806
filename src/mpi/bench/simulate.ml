(* How far a map scales, on paper: the scheduler of pieces as it is, with ranks that are simulated.

   A rank computes its pieces one after the other; when one has ended, its results reach rank 0 after
   [latency], which handles a message in [service], one at a time, and sends the next piece. Results of
   long pieces that travel before cost rank 0 one [service] every 50 ms and rank. *)

type model = { items : int; mean : float; spread : float; latency : float; service : float }

module Events = Map.Make (struct
  type t = float * int

  let compare = compare
end)

let flush = 0.05

(* The time when all has ended. *)
let simulate m ~ranks times =
  let pieces = Pieces.create (Array.init m.items Fun.id) in
  let share = 1. /. float ranks in
  let leader = ref 0. and busy_until = Array.make ranks 0. in
  let events = ref Events.empty and number = ref 0 and last = ref 0. in
  let out = Array.make ranks 0 in
  let hand_out rank =
    if out.(rank) < Pieces.ahead pieces ~ranks then
      let items = Pieces.take pieces ~share in
      if items <> [||] then begin
        let work = Array.fold_left (fun sum item -> sum +. times.(item)) 0. items in
        let start = Float.max busy_until.(rank) (!leader +. m.latency) in
        busy_until.(rank) <- start +. work;
        leader := !leader +. (m.service *. Float.floor (work /. flush));
        incr number;
        out.(rank) <- out.(rank) + 1;
        events := Events.add (start +. work +. m.latency, !number) rank !events
      end
  in
  for _ = 1 to Pieces.most_ahead do
    for rank = 0 to ranks - 1 do
      leader := !leader +. m.service;
      hand_out rank
    done
  done;
  let rec serve () =
    match Events.min_binding_opt !events with
    | None -> ()
    | Some (((time, _) as event), rank) ->
        events := Events.remove event !events;
        leader := Float.max !leader time +. m.service;
        last := Float.max !last !leader;
        out.(rank) <- out.(rank) - 1;
        hand_out rank;
        serve ()
  in
  serve ();
  !last

let row m ranks =
  let random = Random.State.make [| 7 |] in
  let times = Lognormal.times random m.items ~mean:m.mean ~spread:m.spread in
  let work = Array.fold_left ( +. ) 0. times in
  let time = simulate m ~ranks times in
  let longest = Array.fold_left Float.max 0. times in
  let bound = work /. Float.max (work /. float ranks) longest in
  Printf.printf "  %6d %10.1f %10.1f %8.0f%%\n" ranks (work /. time) bound
    (100. *. work /. time /. float ranks)

let () =
  let service, latency =
    Scanf.(
      sscanf
        (if Array.length Sys.argv > 2 then Sys.argv.(1) ^ " " ^ Sys.argv.(2) else "20e-6 100e-6")
        "%f %f"
        (fun a b -> (a, b)))
  in
  List.iter
    (fun (items, mean) ->
      Printf.printf "%d items of %g s, lognormal (1); service %g s, latency %g s\n" items mean
        service latency;
      Printf.printf "  %6s %10s %10s %9s\n" "ranks" "speed-up" "possible" "efficiency";
      List.iter (row { items; mean; spread = 1.; latency; service }) [ 2; 10; 30; 100; 300; 1000 ])
    [ (100_000, 0.001); (100_000, 0.01); (100_000, 0.1); (2_000, 1.) ]

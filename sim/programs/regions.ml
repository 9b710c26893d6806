(* Regions behind stretches of serial work, and jobs from outside of the pool. *)

open Program

(* Loops of [n] iterations of 1 us, each behind [serial]. *)
let behind serial n =
  let of_size size =
    let k = fitting size ~each:(serial + (n * 1_000)) in
    let run visit =
      for region = 0 to k - 1 do
        busy serial;
        Loops.parallel_for n (fun i ->
            busy 1_000;
            visit ((region * n) + i))
      done
    in
    { work = k * (serial + (n * 1_000)); operations = k * n; prepare = marking (k * n) run }
  in
  {
    name = "regions-" ^ duration serial;
    doc = Printf.sprintf "loops of %d iterations of 1us, each behind %s" n (duration serial);
    of_size;
  }

(* Domains of the program's own submit, and await. *)
let outside =
  let submitters = 4 in
  each ~name:"outside" ~doc:"jobs of 10us from four domains that are not the pool's" ~work:10_000
    (fun n visit ->
      let pool = Option.get (Drover.Pool.current ()) in
      let job i =
        Drover.Pool.async pool (fun () ->
            busy 10_000;
            visit i)
      in
      let submit s () =
        let mine = List.filter (fun i -> i mod submitters = s) (List.init n Fun.id) in
        List.iter Drover.await (List.map job mine)
      in
      let open Drover_shadow.Shadow in
      let domains = List.init submitters (fun s -> Domain.spawn (submit s)) in
      Drover.blocking (fun () -> List.iter Domain.join domains))

let all = [ behind 1_000_000 100; behind 100_000 20; behind 20_000 100; outside ]

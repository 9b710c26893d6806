(* Regions behind stretches of serial work, and jobs from outside of the pool. *)

open Program

(* Loops of [n] iterations of [each], each loop behind [serial]. *)
let behind ?(each = 1_000) serial n =
  let of_size size =
    let k = fitting size ~each:(serial + (n * each)) in
    let run visit =
      for region = 0 to k - 1 do
        busy serial;
        Loops.parallel_for n (fun i ->
            busy each;
            visit ((region * n) + i))
      done
    in
    { work = k * (serial + (n * each)); operations = k * n; prepare = marking (k * n) run }
  in
  {
    name = "regions-" ^ duration serial;
    doc =
      Printf.sprintf "loops of %d iterations of %s, each behind %s" n (duration each)
        (duration serial);
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

(* Forks that are not worth a thief's way, as in a walk along a list. *)
let apart w =
  let of_size size =
    let n = fitting size ~each:(3 * w) in
    let run visit =
      for i = 0 to n - 1 do
        busy w;
        let part j () =
          busy w;
          visit ((2 * i) + j)
        in
        ignore (Drover.both (part 0) (part 1) : unit * unit)
      done
    in
    { work = n * 3 * w; operations = 2 * n; prepare = marking (2 * n) run }
  in
  {
    name = "forks-" ^ duration w;
    doc = Printf.sprintf "both of two functions of %s, each behind as much" (duration w);
    of_size;
  }

let all =
  [
    behind 1_000_000 100;
    behind 100_000 20;
    behind 20_000 100;
    behind ~each:100 2_000 20;
    apart 100;
    apart 1_000;
    apart 10_000;
    outside;
  ]

(* A chain of multiplications, so that what else a processor has to do meanwhile hardly matters. *)
let chain n =
  let x = ref n in
  for _ = 1 to n do
    x := Sys.opaque_identity ((!x * 0x2545F4914F6CDD1D) + 1)
  done;
  ignore (Sys.opaque_identity !x : int)

(* Links a nanosecond: at its fastest, as others may use the processor. *)
let rate =
  lazy
    (let links = 1_000_000 in
     let time () =
       let since = Unix.gettimeofday () in
       chain links;
       Unix.gettimeofday () -. since
     in
     let best = List.fold_left (fun best () -> Float.min best (time ())) infinity in
     float links /. (1e9 *. best (List.init 50 ignore)))

let links = ref 0.
let calibrate () = links := Lazy.force rate
let busy ns = chain (Float.to_int (float ns *. !links))

let allocate words =
  let piece = 200 in
  for _ = 1 to Int.max 1 (words / piece) do
    ignore (Sys.opaque_identity (Bytes.create (8 * Int.min piece words)))
  done

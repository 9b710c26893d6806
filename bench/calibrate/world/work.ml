(* A chain of multiplications, so that what else a processor has to do meanwhile hardly matters. *)
let chain n =
  let x = ref n in
  for _ = 1 to n do
    x := Sys.opaque_identity ((!x * 0x2545F4914F6CDD1D) + 1)
  done;
  ignore (Sys.opaque_identity !x : int)

let links = ref 0. (* a nanosecond *)

(* At its fastest, as others may use the processor *)
let calibrate () =
  let n = 1_000_000 in
  let time () =
    let since = Unix.gettimeofday () in
    chain n;
    Unix.gettimeofday () -. since
  in
  let least = List.fold_left (fun least () -> Float.min least (time ())) infinity in
  links := float n /. (1e9 *. least (List.init 50 ignore))

let busy ns = chain (Float.to_int (float ns *. !links))

let allocate words =
  let piece = 200 in
  for _ = 1 to Int.max 1 (words / piece) do
    ignore (Sys.opaque_identity (Bytes.create (8 * Int.min piece words)))
  done

(* Garbage that was there when [Scope.limited ~heap] began counted as room: of ten runaways in a row
   with a million words each, the last had eleven. *)

let limit = 1_000_000

(* The words of its list when it is stopped. *)
let runaway _ =
  let length = ref 0 in
  let grow () =
    let l = ref [] in
    while !length < 20_000_000 do
      l := !length :: !l;
      incr length
    done;
    ignore (Sys.opaque_identity !l : int list)
  in
  (try Drover.Scope.limited ~heap:limit grow with Drover.Scope.Exceeded _ -> ());
  float (3 * !length) *. 1e-6

let () =
  Case.main ~seconds:60. @@ fun () ->
  let words = Drover.run ~domains:1 (fun () -> List.init 10 runaway) in
  let most = Case.quantile 1. words in
  Case.expect (most < 3.)
    "ten runaways in a row with a million words each are stopped at %.1f million words at most" most

(* Once: a turnstile for one before a flag. *)

type t = { is_done : bool Atomic.t; sole : Sole.t }

let create () = { is_done = Atomic.make false; sole = Sole.create () }
let is_done o = Atomic.get o.is_done

let run o f =
  let first () =
    if not (is_done o) then begin
      f ();
      (* Publishes what [f] has done; pairs with the read in [is_done]. *)
      Atomic.set o.is_done true
    end
  in
  if not (is_done o) then Sole.within "Once.run" o.sole first

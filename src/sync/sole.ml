type t = Turnstile.t

let create () = Turnstile.create ~most:1 1

(* A race does no harm: only the caller itself writes its own number. A fiber of a host that comes
   again waits for itself. *)
let within caller s f =
  let me = Task.number () in
  if (Turnstile.hold s).holder = me && Task.is_told_apart () then
    invalid_arg ("Drover." ^ caller ^ ": called from within its own call");
  Turnstile.protect s me f

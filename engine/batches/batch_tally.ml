type t = {
  timed : bool;
  mutable operations : int;
  sizes : int array;
  mutable waiting : float;
  mutable running : float;
}

let create ~timed =
  { timed; operations = 0; sizes = Array.make Sys.int_size 0; waiting = 0.; running = 0. }

let rec log2 n = if n < 2 then 0 else 1 + log2 (n / 2)
let now t = if t.timed then Clock.now () else 0.
let nanoseconds s = int_of_float (s *. 1e9)

let begins t n =
  let size = if n = 1 then 0 else log2 n in
  t.operations <- t.operations + n;
  t.sizes.(size) <- t.sizes.(size) + 1;
  Events.tell Events.batch n

let timed t f =
  let start = now t in
  Critical.finally f (fun () ->
      let time = now t -. start in
      t.running <- t.running +. time;
      Events.tell_time Events.batch_run (nanoseconds time))

let waited t since entries =
  if t.timed then begin
    let now = now t in
    let time = Array.fold_left (fun sum entry -> sum +. (now -. since entry)) 0. entries in
    t.waiting <- t.waiting +. time;
    Events.tell_time Events.batch_wait (nanoseconds time)
  end

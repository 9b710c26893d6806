let now_ns () = Int64.to_int (Mtime_clock.elapsed_ns ())

let time f =
  let start = now_ns () in
  let v = f () in
  (v, float (now_ns () - start) *. 1e-9)

let rec spin_until c =
  if not (c ()) then begin
    Domain.cpu_relax ();
    spin_until c
  end

let spin_ns n =
  let finish = now_ns () + n in
  spin_until (fun () -> now_ns () >= finish)

(* Sums as loops. *)

let dot a b =
  for%sum i = 0 to Array.length a - 1 do
    a.(i) *. b.(i)
  done

let () = Printf.printf "%.1f\n" (dot [| 1.; 2.; 3. |] [| 4.; 5.; 6. |])

let multiples n =
  for%sum_int i = 1 to n do
    if i mod 7 = 0 then 1 else 0
  done

let () = Printf.printf "%d\n" (multiples 100_000)

(* A pipeline: lines are read one after the other, worked on in parallel, and written in their
   order. *)

let rec digits_of_power n =
  if n = 0 then [ 1 ] else double 0 (digits_of_power (n - 1))

and double carry = function
  | [] -> if carry = 0 then [] else [ carry ]
  | d :: ds ->
      (((2 * d) + carry) mod 10) :: double (((2 * d) + carry) / 10) ds

let work line = List.length (digits_of_power (int_of_string line))

let process read work write =
  let lines = Seq.of_dispenser read in
  let results = Drover.Seq.map work lines in
  Seq.iter write results

let () =
  let n = ref 0 in
  let read () =
    incr n;
    if !n > 8 then None else Some (string_of_int (!n * 100))
  in
  process read work (Printf.printf "%d\n")

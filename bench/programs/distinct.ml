(* The different ones of many strings, in the order of their first occurrence. *)

let serial strings =
  let seen = Hashtbl.create 1024 and found = Dynarray.create () in
  Array.iter
    (fun s ->
      if not (Hashtbl.mem seen s) then begin
        Hashtbl.add seen s ();
        Dynarray.add_last found s
      end)
    strings;
  Dynarray.to_array found

let drover strings = Drover.Array.distinct strings

(* Parts are made distinct one beside the other, and then what is left of them. *)
let domainslib pool strings =
  let part lo hi = serial (Array.sub strings lo (hi - lo + 1)) in
  serial (By_hand.fold pool (Array.length strings) part Array.append)

(* Some strings are frequent, and most are rare. *)
let input n =
  let rng = Random.State.make [| n |] in
  Array.init n (fun _ ->
      let rank =
        int_of_float (exp (Random.State.float rng (log (float n))))
      in
      Printf.sprintf "trigram %d" (rank * 7919))

let kernel =
  Program.kernel ~name:"distinct" ~doc:"the different ones of many strings"
    ~sizes:(2_000, 1_000_000, 4_000_000)
    ~about:(Printf.sprintf "%d strings")
    ~input
    ~show:(fun a -> Printf.sprintf "%d different strings" (Array.length a))
    ~serial ~drover ~domainslib ()

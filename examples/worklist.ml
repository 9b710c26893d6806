(* Work that finds more work: here, the states that a program can come to. *)

module Table = Drover_batched.Hash_table

let table () = Table.create ~hash:Hashtbl.hash ~equal:( = ) ()

(* The states that [next] leads to from [start]: called once for each. *)
let reachable next start =
  let seen = table () in
  let rec go level =
    if level <> [||] then
      go
        (Drover.Array.collect
           (fun state push ->
             List.iter
               (fun state -> if Table.add seen state () then push state)
               (next state))
           level)
  in
  Table.insert seen start ();
  go [| start |];
  Array.map fst (Table.to_array seen)

(* Numbers below a hundred that lead to others. *)
let next n = List.filter (fun m -> m < 100) [ 2 * n; (3 * n) + 1 ]
let () = Printf.printf "%d\n" (Array.length (reachable next 1))

(* The same, where steps are long: nobody waits for the end of a level. *)
let reachable_by_tasks next start =
  let seen = table () in
  Drover.Scope.run (fun scope ->
      let rec visit state =
        List.iter
          (fun state ->
            if Table.add seen state () then
              Drover.Scope.spawn scope (fun () -> visit state))
          (next state)
      in
      Table.insert seen start ();
      visit start);
  Array.map fst (Table.to_array seen)

let () = Printf.printf "%d\n" (Array.length (reachable_by_tasks next 1))

(* Philosophers around a table, with a fork between two of them. Each
   thinks ('-'), has the fork at his left ('l'), or eats with both ('e'). *)
let next state =
  let n = String.length state in
  let step i =
    let becomes c =
      Some (String.mapi (fun j d -> if j = i then c else d) state)
    in
    let left = state.[(i + n - 1) mod n]
    and right = state.[(i + 1) mod n] in
    match state.[i] with
    | '-' when left <> 'e' -> becomes 'l'
    | 'l' when right = '-' -> becomes 'e'
    | 'e' -> becomes '-'
    | _ -> None
  in
  List.filter_map step (List.init n Fun.id)

let () =
  let start = String.make 7 '-' in
  let states = reachable next start in
  let is_deadlock state = next state = [] in
  Printf.printf "%d states, deadlocks: %s\n" (Array.length states)
    (String.concat " " (List.filter is_deadlock (Array.to_list states)));
  Printf.printf "%d by tasks\n"
    (Array.length (reachable_by_tasks next start))

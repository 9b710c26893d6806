(* Searches of lists. *)

open List_walk

(* A search has an answer, or an exception, for each part of the list that somebody goes through: the first
   part that has either decides. Its beginning is [earliest] from then on, and who goes through a later part
   stops. The parts before are gone through to their end.

   [look w is_over left l] goes through a part, and [look_at is_over a] is the same for an array. *)
let search look look_at l =
  let earliest = Atomic.make max_int in
  let part i look =
    let event = Failure.catch (fun () -> look (fun () -> Atomic.get earliest < i)) in
    (match event with Ok None -> () | Ok (Some _) | Error _ -> First.lower earliest i);
    event
  in
  let through w i left l = part i (fun is_over -> look w is_over left l)
  and by_array i a = part i (fun is_over -> look_at is_over a) in
  Failure.get
    (split l
       ~none:(fun () -> Ok None)
       through by_array
       (fun first behind -> match first with Ok None -> behind | Ok (Some _) | Error _ -> first))

let claim_unless is_over w = if is_over () then 0 else claim w

(* What [f] says of elements behind an answer does not matter. *)
let unless is_over f x = if is_over () then raise_notrace Exit else f x

let rec look_for (wanted : bool) f w is_over left l =
  match l with
  | [] -> None
  | x :: rest when left > 0 ->
      if f x = wanted then Some x else look_for wanted f w is_over (left - 1) rest
  | l -> (
      match claim_unless is_over w with 0 -> None | left -> look_for wanted f w is_over left l)

(* The first element of which [f] says what is [wanted]. *)
let first (wanted : bool) f l =
  search (look_for wanted f)
    (fun is_over -> Arrays_find.find_opt (unless is_over (fun x -> f x = wanted)))
    l

let find_opt f l = first true f l
let find f l = match find_opt f l with Some x -> x | None -> raise Not_found
let exists f l = Option.is_some (first true f l)
let for_all f l = Option.is_none (first false f l)
let mem x l = exists (fun y -> compare y x = 0) l

let rec look_for_value f w is_over left l =
  match l with
  | [] -> None
  | x :: rest when left > 0 -> (
      match f x with None -> look_for_value f w is_over (left - 1) rest | Some _ as found -> found)
  | l -> (
      match claim_unless is_over w with 0 -> None | left -> look_for_value f w is_over left l)

let find_map f l =
  search (look_for_value f) (fun is_over -> Arrays_find.find_map (unless is_over f)) l

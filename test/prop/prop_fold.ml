(* Folds: the states have taken all iterations in order, on every number of domains and whatever is
   stolen; each is in one step or merge at a time; and failures and cancellations end the fold. *)

open Test_support
open Pauses

type state = { mutable items : int list; mutable is_busy : bool; mutable is_over : bool }

let make () = { items = []; is_busy = false; is_over = false }

let within s f =
  if s.is_busy || s.is_over then failwith "a state that others have";
  s.is_busy <- true;
  f ();
  s.is_busy <- false

let merge s t =
  within s (fun () -> within t (fun () -> s.items <- t.items @ s.items));
  t.is_over <- true;
  s

let step c s i =
  within s (fun () ->
      pause_at c i;
      s.items <- (i - c.start) :: s.items);
  s

let folds =
  [
    ( "parallel_fold",
      fun c step ->
        Drover.parallel_fold ~grain:c.grain ~start:c.start ~finish:(finish c) ~make ~merge (step c)
    );
    ( "parallel_fold_range",
      fun c step ->
        let step_range s lo hi =
          let s = ref s in
          for k = 0 to hi - lo do
            s := step c !s (lo + k)
          done;
          !s
        in
        Drover.parallel_fold_range ~grain:c.grain ~start:c.start ~finish:(finish c) ~make ~merge
          step_range );
    ( "Array.fold",
      fun c step -> Drover.Array.fold ~make ~merge (step c) (Array.init c.n (fun i -> c.start + i))
    );
    ( "List.fold",
      fun c step -> Drover.List.fold ~make ~merge (step c) (List.init c.n (fun i -> c.start + i)) );
  ]

let show items = String.concat " " (List.map string_of_int items)

let in_order fold c =
  let is_in_order s =
    Properties.agree show ~expected:(List.init c.n Fun.id) ~found:(List.rev s.items)
  in
  (not (is_fine c))
  || List.for_all
       (fun domains -> is_in_order (Drover.run ~domains (fun () -> fold c step)))
       [ 1; 2; 4; 8 ]
     && is_in_order (fold c step)

let fails fold c =
  let bad = c.start + (c.n / 2) in
  let step c s i = if i = bad then raise Exit else step c s i in
  (not (is_fine c))
  || c.n = 0
  || List.for_all
       (fun domains ->
         match Drover.run ~domains (fun () -> fold c step) with
         | (_ : state) -> false
         | exception Exit -> true)
       [ 1; 2; 4 ]

(* The iteration in the middle cancels the scope: the fold ends, with its value only if that was the last one
   that had to begin. *)
let is_cancelled fold c =
  let cancel domains =
    Drover.run ~domains (fun () ->
        Drover.Scope.run (fun scope ->
            let step c s i =
              if i = c.start + (c.n / 2) then Drover.Scope.cancel scope Exit;
              step c s i
            in
            fold c step))
  in
  (not (is_fine c))
  || c.n = 0
  || List.for_all
       (fun domains -> match cancel domains with (_ : state) -> false | exception Exit -> true)
       [ 1; 2; 4 ]

let () =
  let property ?(count = 4) name law = Watchdog.property ~count ~name ~print case law in
  let laws (name, fold) =
    [
      property ~count:10 (name ^ ", in order") (in_order fold);
      property (name ^ ", a step fails") (fails fold);
      property (name ^ ", cancelled") (is_cancelled fold);
    ]
  in
  Properties.run (List.concat_map laws folds)

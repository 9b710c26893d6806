(* Promises that several may settle, and callbacks of promises. *)

(* Whether it came first. *)
let settle resolver v =
  match Drover.Promise.fulfil resolver v with
  | () -> true
  | exception Invalid_argument _ -> false

(* [f] gets the outcome, in a task of its own. *)
let on_outcome promise f =
  Drover.async (fun () ->
      match Drover.await promise with
      | v -> f (Ok v)
      | exception exn -> f (Error exn))

let () =
  let answer, resolver = Drover.Promise.create () in
  let printed =
    on_outcome answer (function
      | Ok n -> Printf.printf "the answer is %d\n" n
      | Error exn -> raise exn)
  in
  let firsts = Drover.all (List.init 3 (fun _ () -> settle resolver 42)) in
  Drover.await printed;
  Printf.printf "%d came first\n" (List.length (List.filter Fun.id firsts))

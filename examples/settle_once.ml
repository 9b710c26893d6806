(* Promises that several may settle, and callbacks of promises. *)

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
  let comes_first n = Drover.Promise.try_fulfil resolver n in
  let firsts = Drover.List.filter comes_first [ 42; 42; 42 ] in
  Drover.await printed;
  Printf.printf "%d came first\n" (List.length firsts)

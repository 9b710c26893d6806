(* A graph of tasks, each of which needs the results of others, as in a build. *)

(* [make name inputs] is called once for [goal] and for each that it needs, directly or not, as soon
   as there are the results of those that it needs itself. The first failure cancels the rest. *)
let build needs make goal =
  Drover.Scope.run (fun scope ->
      let started = Hashtbl.create 16 in
      let rec start name =
        match Hashtbl.find_opt started name with
        | Some promise -> promise
        | None ->
            let inputs = List.map start (needs name) in
            let promise =
              Drover.Scope.async scope (fun () ->
                  make name (List.map Drover.await inputs))
            in
            Hashtbl.add started name promise;
            promise
      in
      Drover.await (start goal))

let needs = function
  | "program" -> [ "main"; "library" ]
  | "main" -> [ "library" ]
  | "library" -> [ "parser"; "printer" ]
  | _ -> []

let () =
  let make name inputs =
    Printf.sprintf "%s(%s)" name (String.concat " " inputs)
  in
  print_endline (build needs make "program")

(* On a crowded machine the first fork of a program began 160 to 300 ms late. *)

let late () =
  let submitted = Case.now () in
  let other () = Case.now () -. submitted in
  snd (Drover.run ~domains:2 (fun () -> Drover.both (fun () -> Case.spin 0.5) other))

let () =
  match Sys.argv with
  | [| _; "scene" |] -> print_float (late ())
  | _ ->
      Case.main @@ fun () ->
      let program _ = float_of_string (Case.call (Case.scene "scene")).output in
      let late = Case.quantile 0.5 (Case.beside 2 (fun () -> List.init 7 program)) in
      Case.expect (late < 0.1) "the first fork of a program begins %.0f ms late, in the median"
        (1e3 *. late)

exception Failed of int

let () = Printexc.record_backtrace true
let[@inline never] raise_here n = raise (Failed n)

let names function_name backtrace =
  match Printexc.backtrace_slots backtrace with
  | None -> false
  | Some slots ->
      let is_it slot =
        match Printexc.Slot.name slot with
        | Some name -> String.ends_with ~suffix:("." ^ function_name) name
        | None -> false
      in
      Array.exists is_it slots

let is_named () = names "raise_here" (Printexc.get_raw_backtrace ())

let check n f =
  match f () with
  | _ -> Alcotest.failf "Failed %d is not raised" n
  | exception Failed m ->
      let backtrace = Printexc.get_raw_backtrace () in
      if m <> n then Alcotest.failf "Failed %d is raised instead of Failed %d" m n;
      if not (names "raise_here" backtrace) then
        Alcotest.failf "the backtrace does not name its origin:\n%s"
          (Printexc.raw_backtrace_to_string backtrace)

let misuse prefix f =
  match f () with
  | _ -> Alcotest.failf "Invalid_argument %S is not raised" prefix
  | exception Invalid_argument message ->
      if not (String.starts_with ~prefix message) then
        Alcotest.failf "Invalid_argument %S instead of %S" message prefix

let compare_but n x y =
  if x = n || y = n then raise_here n;
  Int.compare x y

let raises what expected f =
  match f () with
  | _ -> failwith (what ^ ": no exception")
  | exception exn when exn = expected -> ()
  | exception exn -> failwith (what ^ ": raised " ^ Printexc.to_string exn)

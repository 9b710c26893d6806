(* Bigarrays counted towards no limit: a gigabyte of them lived under [~heap:8_000_000]. *)

let megabyte () = Bigarray.(Array1.create char c_layout 1_000_000)

let rec grow n kept =
  if n = 0 then ignore (Sys.opaque_identity kept : _ list)
  else begin
    let block = megabyte () in
    ignore (Sys.opaque_identity (List.init 10_000 Fun.id) : int list);
    grow (n - 1) (block :: kept)
  end

let () =
  Case.main @@ fun () ->
  let limited () = Drover.Scope.limited ~heap:8_000_000 (fun () -> grow 500 []) in
  match Drover.run ~domains:1 limited with
  | () -> Case.wrong "500 MB of bigarrays are allocated under a limit of 64 MB"
  | exception Drover.Scope.Exceeded _ -> Case.right "bigarrays count"

(* A bad byte in a journal discarded all records after it. *)

let spoil file =
  let descriptor = Unix.openfile file [ O_RDWR ] 0 in
  let middle = (Unix.fstat descriptor).st_size / 2 in
  let byte = Bytes.create 1 in
  ignore (Unix.lseek descriptor middle SEEK_SET : int);
  ignore (Unix.read descriptor byte 0 1 : int);
  Bytes.set byte 0 (Char.chr (Char.code (Bytes.get byte 0) lxor 0x10));
  ignore (Unix.lseek descriptor middle SEEK_SET : int);
  ignore (Unix.write descriptor byte 0 1 : int);
  Unix.close descriptor

let () =
  match Sys.argv with
  | [| _; "map"; folder |] -> Items.in_ranks (fun () -> Items.map folder)
  | _ ->
      Case.main @@ fun () ->
      Folder.temporary @@ fun folder ->
      let map () = Case.ended_well (Case.call (Case.scene "map" @ [ folder ])) in
      let first = map () in
      spoil (Items.journal folder);
      let again, computed = Items.computed folder map in
      Case.expect
        (first && again && computed < 4)
        "after a bad byte in the journal the job ends well: %b, and computes %d of 100 items again"
        again computed

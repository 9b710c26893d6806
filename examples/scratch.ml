(* A large table that each piece of work needs for a while: which of its bytes a text has. *)

let tables = Drover.Scratch.create (fun () -> Bytes.create 256)

let distinct_bytes text =
  Drover.Scratch.use tables (fun seen ->
      Bytes.fill seen 0 256 '\000';
      let add n c =
        if Bytes.get seen (Char.code c) = '\001' then n
        else begin
          Bytes.set seen (Char.code c) '\001';
          n + 1
        end
      in
      String.fold_left add 0 text)

let () =
  let texts = Array.init 1_000 (fun i -> string_of_int (i * i * i)) in
  let counts = Drover.Array.map distinct_bytes texts in
  Printf.printf "%s has %d different digits\n" texts.(999) counts.(999)

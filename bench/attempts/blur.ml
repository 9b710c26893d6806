(* Each pixel of a grey picture becomes the mean of the 5 x 5 around it. *)

let height picture = Array.length picture
let width picture = Bytes.length picture.(0)

let blur_row picture blurred y =
  for x = 2 to width picture - 3 do
    let sum = ref 0 in
    for v = y - 2 to y + 2 do
      for u = x - 2 to x + 2 do
        sum := !sum + Bytes.get_uint8 picture.(v) u
      done
    done;
    Bytes.set_uint8 blurred.(y) x (!sum / 25)
  done

let serial picture =
  let blurred = Array.map Bytes.copy picture in
  for y = 2 to height picture - 3 do
    blur_row picture blurred y
  done;
  blurred

let drover picture =
  let blurred = Array.map Bytes.copy picture in
  Drover.parallel_for ~start:2
    ~finish:(height picture - 3)
    (blur_row picture blurred);
  blurred

let input size =
  let rng = Random.State.make [| size |] in
  Array.init size (fun _ ->
      Bytes.init
        (3 * size / 2)
        (fun _ -> Char.chr (Random.State.int rng 256)))

let kernel =
  Drover_programs.Program.kernel ~name:"blur"
    ~doc:"a picture blurred: parallel_for over rows"
    ~sizes:(30, 1_000, 2_000)
    ~about:(fun n -> Printf.sprintf "%d x %d pixels" (3 * n / 2) n)
    ~input
    ~show:(fun rows ->
      Digest.to_hex
        (Digest.bytes (Bytes.concat Bytes.empty (Array.to_list rows))))
    ~serial ~drover ()

(* How far words are from each other. Many pairs come again, and are looked up. *)

let distance v w =
  let row = Array.init (String.length w + 1) Fun.id in
  String.iteri
    (fun i c ->
      let before = ref row.(0) in
      row.(0) <- i + 1;
      for j = 1 to String.length w do
        let replace = !before + if c = w.[j - 1] then 0 else 1 in
        before := row.(j);
        row.(j) <- Int.min replace (1 + Int.min row.(j) row.(j - 1))
      done)
    v;
  row.(String.length w)

let serial pairs =
  let known = Hashtbl.create 1_000 in
  let get (v, w) =
    match Hashtbl.find_opt known (v, w) with
    | Some d -> d
    | None ->
        let d = distance v w in
        Hashtbl.add known (v, w) d;
        d
  in
  Array.fold_left (fun sum pair -> sum + get pair) 0 pairs

let drover pairs =
  let known = Drover.Memo.create (fun _ (v, w) -> distance v w) in
  Drover.Array.fold
    ~make:(fun () -> 0)
    ~merge:( + )
    (fun sum pair -> sum + Drover.Memo.get known pair)
    pairs

let input n =
  let rng = Random.State.make [| n |] in
  let word _ =
    String.init
      (10 + Random.State.int rng 30)
      (fun _ -> Char.chr (97 + Random.State.int rng 4))
  in
  let words = Array.init 200 word in
  let any () = words.(Random.State.int rng 200) in
  Array.init n (fun _ -> (any (), any ()))

let kernel =
  Drover_programs.Program.kernel ~name:"edit-distances"
    ~doc:"edit distances: Memo and Array.fold" ~sizes:(200, 60_000, 500_000)
    ~about:(Printf.sprintf "%d pairs of words")
    ~input ~show:string_of_int ~serial ~drover ()

type t = { parent : int array; edges : int Dynarray.t }

let create n = { parent = Array.init n Fun.id; edges = Dynarray.create () }

(* Paths are halved on the way. *)
let rec root f v =
  let p = f.parent.(v) in
  if p = v then v
  else begin
    let above = f.parent.(p) in
    f.parent.(v) <- above;
    root f above
  end

(* Nodes have no order, so to link by number is as good as to link at random. *)
let add f e u v =
  let u = root f u and v = root f v in
  if u <> v then begin
    f.parent.(Int.max u v) <- Int.min u v;
    Dynarray.add_last f.edges e
  end

let edges f = Dynarray.to_array f.edges

let merge ends f g =
  Dynarray.iter
    (fun e ->
      let u, v = ends e in
      add f e u v)
    g.edges;
  f

(* Which vertices of a graph are connected. Most graphs have one component
   that is larger than all others, and few steps wide: a search finds it.
   What is left is for union-find, in strips that share nothing: what lies
   between strips, or between one and the search, comes at the end. *)

type graph = { rows : int array; targets : int array }

let degree g v = g.rows.(v + 1) - g.rows.(v)

(* Paths are halved on the way. *)
let rec root parent v =
  let above = parent.(v) in
  if above = v then v
  else begin
    parent.(v) <- parent.(above);
    root parent parent.(v)
  end

let link parent u v =
  let u = root parent u and v = root parent v in
  if u <> v then parent.(Int.max u v) <- Int.min u v

(* Labels all that is at most 30 steps from [hub] with [hub], and returns
   those that edges to others may leave. *)
let search g label hub =
  let apply v hub =
    label.(v) < 0
    && begin
      label.(v) <- hub;
      true
    end
  in
  let scatter out _ lo hi =
    for e = lo to hi do
      let v = g.targets.(e) in
      if label.(v) < 0 then Drover.Frontier.send out v hub
    done
  in
  let rec go_on steps frontier =
    let rec finds e hi =
      e <= hi
      && (Drover.Frontier.mem frontier g.targets.(e) || finds (e + 1) hi)
    in
    let gather v lo hi = label.(v) < 0 && finds lo hi && apply v hub in
    if steps = 0 || Drover.Frontier.is_empty frontier then frontier
    else
      go_on (steps - 1)
        (if Drover.Frontier.should_pull frontier g.rows then
           Drover.Frontier.pull frontier g.rows ~gather
         else Drover.Frontier.push frontier g.rows ~scatter ~apply)
  in
  label.(hub) <- hub;
  go_on 30 (Drover.Frontier.of_array (Array.length label) [| hub |])

(* Connects the vertices from [first] to [last] that have no label, and
   pushes the edges that lead to those before. *)
let connect g label parent first last push =
  for v = first to last do
    if label.(v) < 0 then
      for e = g.rows.(v) to g.rows.(v + 1) - 1 do
        let u = g.targets.(e) in
        if u < v && label.(u) < 0 then
          if u < first then push (u, v) else link parent u v
      done
  done

let strips = 64

(* A vertex of many edges: that of the most, of a hundred. *)
let hub_of g n =
  let greater u i =
    let v = i * n / 100 in
    if degree g v > degree g u then v else u
  in
  List.fold_left greater 0 (List.init 100 Fun.id)

(* Vertices of one component, and no others, get the same label. *)
let components g =
  let n = Array.length g.rows - 1 in
  let label = Array.make n (-1) and parent = Drover.Array.init n Fun.id in
  let strip i = i * n / strips in
  if n > 0 then begin
    let hub = hub_of g n in
    let border = Drover.Frontier.to_array (search g label hub) in
    let between =
      Drover.parallel_collect ~start:0 ~finish:(strips - 1) (fun i push ->
          connect g label parent (strip i) (strip (i + 1) - 1) push)
    in
    Array.iter (fun (u, v) -> link parent u v) between;
    let leave v =
      for e = g.rows.(v) to g.rows.(v + 1) - 1 do
        link parent hub g.targets.(e)
      done
    in
    Array.iter leave border;
    let rec find v = if parent.(v) = v then v else find parent.(v) in
    Drover.parallel_range ~start:0 ~finish:(n - 1) (fun lo hi ->
        for v = lo to hi do
          label.(v) <- find (if label.(v) < 0 then v else hub)
        done)
  end;
  label

(* Each vertex is on a circle, with each sixth other one; and beside these,
   the corners of a cube. *)
let graph =
  let circles = 12_000 and dimensions = 13 in
  let neighbours v =
    if v < circles then
      [| (v + 6) mod circles; (v + circles - 6) mod circles |]
    else
      let corner = v - circles in
      Array.init dimensions (fun i -> circles + (corner lxor (1 lsl i)))
  in
  let all = Array.init (circles + (1 lsl dimensions)) neighbours in
  let rows = Array.make (Array.length all + 1) 0 in
  Array.iteri (fun v a -> rows.(v + 1) <- rows.(v) + Array.length a) all;
  { rows; targets = Array.concat (Array.to_list all) }

let () =
  let sizes = Drover.Array.count_by Fun.id (components graph) in
  Drover.Array.sort (fun (_, a) (_, b) -> Int.compare b a) sizes;
  Printf.printf "%d components, the largest of %d vertices\n"
    (Array.length sizes)
    (snd sizes.(0))

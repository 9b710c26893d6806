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

(* Those that the search reaches get [hub] as their parent. *)
let search g parent is_reached hub =
  let apply v _ =
    (not is_reached.(v))
    && begin
      is_reached.(v) <- true;
      parent.(v) <- hub;
      true
    end
  in
  let scatter out _ lo hi =
    for e = lo to hi do
      let v = g.targets.(e) in
      if not is_reached.(v) then Drover.Frontier.send out v hub
    done
  in
  let rec steps left frontier =
    let rec finds e hi =
      e <= hi
      && (Drover.Frontier.mem frontier g.targets.(e) || finds (e + 1) hi)
    in
    let gather v lo hi =
      (not is_reached.(v)) && finds lo hi && apply v hub
    in
    if left > 0 && not (Drover.Frontier.is_empty frontier) then
      steps (left - 1)
        (if Drover.Frontier.should_pull frontier g.rows then
           Drover.Frontier.pull frontier g.rows ~gather
         else Drover.Frontier.push frontier g.rows ~scatter ~apply)
  in
  is_reached.(hub) <- true;
  steps 30 (Drover.Frontier.of_array (Array.length parent) [| hub |])

(* Connects the vertices from [first] to [last], and pushes the edges that
   lead elsewhere, seen from their greater end or from outside the search. *)
let connect g parent is_reached first last push =
  for v = first to last do
    if not is_reached.(v) then
      for e = g.rows.(v) to g.rows.(v + 1) - 1 do
        let u = g.targets.(e) in
        if is_reached.(u) then push (u, v)
        else if u < v then
          if u < first then push (u, v) else link parent u v
      done
  done

let strips = 64

(* The least vertex of each vertex's component, or the hub. *)
let components g =
  let n = Array.length g.rows - 1 in
  let parent = Array.init n Fun.id and is_reached = Array.make n false in
  let greater u v = if degree g v > degree g u then v else u in
  if n > 0 then
    search g parent is_reached
      (Drover.parallel_reduce ~start:1 ~finish:(n - 1) ~init:0
         ~combine:greater Fun.id);
  let strip i = i * n / strips in
  let between =
    Drover.parallel_collect ~start:0 ~finish:(strips - 1) (fun i push ->
        connect g parent is_reached (strip i) (strip (i + 1) - 1) push)
  in
  Array.iter (fun (u, v) -> link parent u v) between;
  let rec find v = if parent.(v) = v then v else find parent.(v) in
  Drover.Array.init n find

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

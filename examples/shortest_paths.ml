(* How far each vertex of a graph is from one of them, where edges have
   lengths. Delta-stepping: Meyer, Sanders, Journal of Algorithms 49
   (2003). Vertices nearer than some limit are settled together; then the
   limit is raised, and those behind it come nearer. *)

type graph = { rows : int array; targets : int array; lengths : int array }

let far = max_int

let distances ~delta { rows; targets; lengths } source =
  let n = Array.length rows - 1 in
  let distance = Array.make n far and joined = Array.make n 0 in
  let limit = ref delta and round = ref 0 in
  let is_near v = distance.(v) < !limit in
  let scatter out v lo hi =
    let to_v = distance.(v) in
    for e = lo to hi do
      let u = targets.(e) and d = to_v + lengths.(e) in
      if d < distance.(u) then Drover.Frontier.send out u d
    done
  in
  (* A vertex joins near ones once a round, and far ones once. *)
  let apply v d =
    let before = distance.(v) in
    d < before
    && begin
      distance.(v) <- d;
      if d >= !limit then before = far
      else
        joined.(v) <> !round
        && begin
          joined.(v) <- !round;
          true
        end
    end
  in
  let rec settle near later =
    incr round;
    let frontier = Drover.Frontier.of_array n near in
    let better = Drover.Frontier.push frontier rows ~scatter ~apply in
    let near, far =
      Drover.Array.partition is_near (Drover.Frontier.to_array better)
    in
    let later = if far = [||] then later else far :: later in
    if near <> [||] then settle near later else go_on later
  and go_on later =
    let is_open v = not (is_near v) in
    let later = Drover.Array.(filter is_open (concat later)) in
    if later <> [||] then begin
      let nearest =
        Drover.Array.reduce ~init:far ~combine:Int.min
          (fun v -> distance.(v))
          later
      in
      limit := nearest - (nearest mod delta) + delta;
      let near, far = Drover.Array.partition is_near later in
      settle near [ far ]
    end
  in
  distance.(source) <- 0;
  settle [| source |] [];
  distance

(* The corners of a cube whose edges have other lengths in each
   dimension: 1, 2 and so on. *)
let cube dimensions =
  let n = 1 lsl dimensions in
  let of_edges f = Array.init (dimensions * n) f in
  {
    rows = Array.init (n + 1) (fun v -> dimensions * v);
    targets =
      of_edges (fun e -> e / dimensions lxor (1 lsl (e mod dimensions)));
    lengths = of_edges (fun e -> 1 + (e mod dimensions));
  }

let () =
  let distance = distances ~delta:5 (cube 13) 0 in
  Printf.printf "corner 7 is %d away\n" distance.(7);
  Printf.printf "the farthest corner is %d away\n"
    (Drover.Array.reduce ~init:0 ~combine:Int.max Fun.id distance)

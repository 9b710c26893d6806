(* Frontier: a set of vertices as an array of them, as a mark for each vertex, or as both.

   A push, from the rows of few vertices:

   1. The caller begins alone: what is sent is applied at once. That ends with the frontier, or where it
      would come to more than [alone] edges: for so few, a second pass costs more than others can help with.
   2. The rest of the vertices are a loop, and so are the edges of a vertex that has more than [alone]. Nothing
      is applied meanwhile, so [scatter] may read what [apply] has written. Each run of the loop has an outbox,
      with a bin for each block of vertices.
   3. Bins are a loop: a task applies what is in a bin of all outboxes, from left to right. So nobody else is at
      these vertices. (Bins are good for the cache, too: Beamer, Asanović, Patterson, IPDPS 2017.)

   Where 1 ends depends on the frontier only, and in 3 a vertex is sent to in the order of the edges: so the
   result does not depend on the number of domains. *)

type t = {
  length : int;
  cardinal : int;
  mutable vertices : int array; [@atomic]
      (* the first [cardinal] of these; [||] if there are none *)
  mutable marks : Bytes.t; [@atomic] (* empty if there are none *)
}

(* {1 Both forms} *)

let marked = '\001'
let unmarked = '\000'
let sparse length cardinal vertices = { length; cardinal; vertices; marks = Bytes.empty }
let[@inline] is_in v n = v >= 0 && v < n

let of_array n vertices =
  if n < 0 then invalid_arg "Drover.Frontier.of_array: n < 0";
  if not (Arrays_find.for_all (fun v -> is_in v n) vertices) then
    invalid_arg "Drover.Frontier.of_array: out of bounds";
  sparse n (Array.length vertices) (Arrays_move.copy vertices)

let length f = f.length
let cardinal f = f.cardinal
let is_empty f = f.cardinal = 0

(* Any two that make a form at a time make the same. *)
let marks f =
  let known = f.marks in
  if Bytes.length known = f.length then known
  else begin
    let marks = Bytes.make f.length unmarked and vertices = f.vertices in
    Spread.over f.cardinal (fun lo hi ->
        for i = lo to hi do
          Bytes.set marks (Array.unsafe_get vertices i) marked
        done);
    f.marks <- marks;
    marks
  end

let listed marks =
  Collect.over (Bytes.length marks) (fun found lo hi ->
      for v = lo to hi do
        if Bytes.unsafe_get marks v = marked then Collect.push found v
      done)

let vertices f =
  let known = f.vertices in
  if Array.length known >= f.cardinal then known
  else begin
    let vertices = listed f.marks in
    f.vertices <- vertices;
    vertices
  end

let to_array f = Arrays_move.sub (vertices f) 0 f.cardinal

let[@inline never] mem_slow f v =
  if is_in v f.length then Bytes.get (marks f) v = marked
  else invalid_arg "Drover.Frontier.mem: out of bounds"

let[@inline] mem f v =
  let marks = f.marks in
  if is_in v (Bytes.length marks) then Bytes.unsafe_get marks v = marked else mem_slow f v

(* {1 The direction} *)

let check caller f rows =
  if Array.length rows <> f.length + 1 then
    invalid_arg ("Drover.Frontier." ^ caller ^ ": the rows are of another number of vertices")

let[@inline] degree (rows : int array) v = rows.(v + 1) - rows.(v)

let edges f rows =
  let vertices = f.vertices and marks = f.marks in
  let of_vertices edges lo hi =
    let edges = ref edges in
    for i = lo to hi do
      edges := !edges + degree rows (Array.unsafe_get vertices i)
    done;
    !edges
  and of_marks edges lo hi =
    let edges = ref edges in
    for v = lo to hi do
      if Bytes.unsafe_get marks v = marked then edges := !edges + degree rows v
    done;
    !edges
  in
  let fold n step = Fold.over n ~make:(fun () -> 0) ~merge:( + ) step in
  if Array.length vertices >= f.cardinal then fold f.cardinal of_vertices
  else fold f.length of_marks

(* Ligra's share of the edges, which needs no look at those that are left. Edges are not even counted for
   so small a share of the vertices. *)
let wide_edges = 20
let wide_vertices = 100

let should_pull f rows =
  check "should_pull" f rows;
  f.cardinal * wide_vertices >= f.length && edges f rows * wide_edges > rows.(f.length) - rows.(0)

let pull f rows ~gather =
  check "pull" f rows;
  ignore (marks f : Bytes.t);
  let next = Bytes.make f.length unmarked in
  let step count lo hi =
    let count = ref count in
    for v = lo to hi do
      if gather v (Array.unsafe_get rows v) (Array.unsafe_get rows (v + 1) - 1) then begin
        Bytes.unsafe_set next v marked;
        incr count
      end
    done;
    !count
  in
  let cardinal = Fold.over f.length ~make:(fun () -> 0) ~merge:( + ) step in
  { length = f.length; cardinal; vertices = [||]; marks = next }

(* {1 What is sent} *)

(* An outbox that several tasks use, against its documentation, may lose or mix up what they send. So the bounds of
   what it had are checked where that is an index. *)
type box = { mutable items : int array; mutable used : int }

let box n = { items = (if n = 0 then [||] else Array.make n 0); used = 0 }

let lengthen b =
  let longer = Array.make (Int.max 16 (2 * b.used)) 0 in
  Array.blit b.items 0 longer 0 b.used;
  b.items <- longer

let[@inline] put b x =
  if b.used = Array.length b.items then lengthen b;
  b.items.(b.used) <- x;
  b.used <- b.used + 1

let used b = Int.min b.used (Array.length b.items)
let contents b = Array.sub b.items 0 (used b)

type outbox = {
  apply : int -> int -> bool;
  length : int;
  shift : int; (* a bin is for 2 ^ shift vertices *)
  bins : box array; (* a vertex, what it is sent, and so on; no bins if that is applied at once *)
  joined : box; (* the vertices that joined, then *)
}

let send out v x =
  if not (is_in v out.length) then invalid_arg "Drover.Frontier.send: out of bounds";
  if Array.length out.bins > 0 then begin
    let bin = Array.unsafe_get out.bins (v lsr out.shift) in
    put bin v;
    put bin x
  end
  else if out.apply v x then put out.joined v

(* So many tasks may apply at a time; and what belongs to the vertices of a bin fits a cache near the processor. *)
let most_bins = 64
let rec shift_for n shift = if (n - 1) lsr shift < most_bins then shift else shift_for n (shift + 1)

let outbox_of_bins apply length =
  let shift = shift_for length 0 in
  let bins = Array.init (((length - 1) lsr shift) + 1) (fun _ -> box 0) in
  { apply; length; shift; bins; joined = box 0 }

let outbox_at_once apply length ~room = { apply; length; shift = 0; bins = [||]; joined = box room }

(* {1 A push} *)

(* Edges, and vertices: ten microseconds or two, as a region should have. A level of a grid of a million vertices
   has no more. Chosen on two processors. Kernels: bfs, paths. *)
let alone = 8192

(* The caller scatters from the vertices from [i] on, and stops at the result. *)
let rec begin_alone (rows : int array) vertices count scatter out i steps =
  if i = count then i
  else
    let v = Array.unsafe_get vertices i in
    let lo = rows.(v) and next = rows.(v + 1) in
    let steps = steps + 1 + next - lo in
    if steps > alone then i
    else begin
      scatter out v lo (next - 1);
      begin_alone rows vertices count scatter out (i + 1) steps
    end

(* The result is outboxes, the latest first; the head is the one in use. *)
let scatter_rest rows vertices count scatter fresh ~from =
  let make () = [ fresh () ] and merge boxes later = later @ boxes in
  let edges_of v boxes =
    let lo = rows.(v) and edges = degree rows v in
    if edges <= alone then begin
      scatter (List.hd boxes) v lo (lo + edges - 1);
      boxes
    end
    else
      let step boxes i j =
        scatter (List.hd boxes) v (lo + i) (lo + j);
        boxes
      in
      fresh () :: (Fold.over edges ~make ~merge step @ boxes)
  in
  let step boxes i j =
    let boxes = ref boxes in
    for k = from + i to from + j do
      boxes := edges_of (Array.unsafe_get vertices k) !boxes
    done;
    !boxes
  in
  Fold.over (count - from) ~make ~merge step

let apply_bin apply boxes b =
  let joined = box 0 in
  let apply_from out =
    let bin = out.bins.(b) in
    let items = bin.items in
    for k = 0 to (used bin / 2) - 1 do
      let v = Array.unsafe_get items (2 * k) in
      if apply v (Array.unsafe_get items ((2 * k) + 1)) then put joined v
    done
  in
  List.iter apply_from boxes;
  joined

let deliver apply boxes early =
  let bins = Array.length (List.hd boxes).bins in
  let joined = Array.make (bins + 1) [||] in
  joined.(0) <- contents early;
  Spread.over bins (fun lo hi ->
      for b = lo to hi do
        joined.(b + 1) <- contents (apply_bin apply boxes b)
      done);
  Arrays_move.concat_all joined

let push f rows ~scatter ~apply =
  check "push" f rows;
  let { length; cardinal; _ } = f and vertices = vertices f in
  let at_once = outbox_at_once apply length ~room:(cardinal + 16) in
  let from = begin_alone rows vertices cardinal scatter at_once 0 0 in
  let early = at_once.joined in
  if from = cardinal then sparse length (used early) early.items
  else
    let fresh () = outbox_of_bins apply length in
    let boxes = List.rev (scatter_rest rows vertices cardinal scatter fresh ~from) in
    let joined = deliver apply boxes early in
    sparse length (Array.length joined) joined

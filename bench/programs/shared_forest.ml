(* A node's parent has a smaller number, so there are no cycles. To find a root is plain reading: what
   is read may be old, but is an ancestor always, and a node that has a parent keeps one. Only a root
   is linked, by whoever has its lock and still finds it to be a root: so it may be linked to a node
   that is a root no more, but never to its own tree. *)
type t = { parent : int array; locks : bool Atomic.t array }

let stripes = 64

let create n =
  {
    parent = Array.init n Fun.id;
    locks = Array.init stripes (fun _ -> Atomic.make_contended false);
  }

(* Paths are halved on the way; to lose that to another does no harm. *)
let rec root f v =
  let p = f.parent.(v) in
  if p = v then v
  else begin
    let above = f.parent.(p) in
    if above = p then p
    else begin
      (f.parent.(v) <- above)
      [@drover.racy "to halve another way does no harm"];
      root f above
    end
  end

let rec link f below above =
  let lock = f.locks.(below land (stripes - 1)) in
  if Atomic.compare_and_set lock false true then begin
    let is_root = f.parent.(below) = below in
    if is_root then
      (f.parent.(below) <- above)
      [@drover.racy "who reads may find an ancestor"];
    Atomic.set lock false;
    is_root
  end
  else begin
    Domain.cpu_relax ();
    link f below above
  end

let rec connect f u v =
  let u = root f u and v = root f v in
  u <> v && (link f (Int.max u v) (Int.min u v) || connect f u v)

(* The value of a position of connect four, by alpha-beta as in the cookbook: the first move alone,
   then the others in parallel. *)

(* Bit 7 * c + r stands for row r of column c. The seventh row stays empty. *)
type board = { mine : int; (* the stones of who is to move *) all : int }

let empty = { mine = 0; all = 0 }

(* Good moves should come first. *)
let columns = [ 3; 2; 4; 1; 5; 0; 6 ]
let is_free board c = board.all land (1 lsl ((7 * c) + 5)) = 0

let full =
  List.fold_left (fun b c -> b lor (0b111111 lsl (7 * c))) 0 columns

(* Then the other side is to move. *)
let play { mine; all } c =
  { mine = all lxor mine; all = all lor (all + (1 lsl (7 * c))) }

let has_line stones step =
  let pairs = stones land (stones lsr step) in
  pairs land (pairs lsr (2 * step)) <> 0

(* Whether the side that has just moved has four in a row. *)
let is_won { mine; all } =
  let stones = all lxor mine in
  has_line stones 1 || has_line stones 6 || has_line stones 7
  || has_line stones 8

(* The value of a move: more if it wins sooner, 0 if nobody wins within
   [depth] moves. [search] looks at what the other side can do. *)
let value_of search board depth c ~alpha ~beta =
  let next = play board c in
  if is_won next then depth
  else if depth = 1 || next.all = full then 0
  else -search next (depth - 1) ~alpha:(-beta) ~beta:(-alpha)

let rec serial board depth ~alpha ~beta =
  let rec best_of alpha = function
    | c :: others when alpha < beta ->
        if is_free board c then
          let value = value_of serial board depth c ~alpha ~beta in
          best_of (Int.max alpha value) others
        else best_of alpha others
    | _ -> alpha
  in
  best_of alpha columns

let rec raise_to best value =
  let before = Atomic.get best in
  if value > before && not (Atomic.compare_and_set best before value) then
    raise_to best value

(* Less takes microseconds. *)
let serial_until = 6

(* The first move gives a bound that spares most of the work on the others,
   so it is searched alone. *)
let rec parallel board depth ~alpha ~beta =
  if depth <= serial_until then serial board depth ~alpha ~beta
  else
    let best = Atomic.make alpha in
    (* Whether no other move matters, as the other side will avoid this. *)
    let is_enough c =
      let alpha = Atomic.get best in
      if alpha < beta then
        raise_to best (value_of parallel board depth c ~alpha ~beta);
      Atomic.get best >= beta
    in
    let moves = Array.of_list (List.filter (is_free board) columns) in
    if not (is_enough moves.(0)) then
      ignore
        (Drover.parallel_find_any ~start:1
           ~finish:(Array.length moves - 1)
           (fun i -> if is_enough moves.(i) then Some () else None));
    Atomic.get best

let value search (board, depth) =
  search board depth ~alpha:(-depth - 1) ~beta:(depth + 1)

let kernel =
  Drover_programs.Program.kernel ~name:"connect-four"
    ~doc:"connect four: alpha-beta as in the cookbook" ~sizes:(8, 13, 15)
    ~about:(Printf.sprintf "%d moves from the empty board")
    ~input:(fun depth -> (empty, depth))
    ~show:string_of_int ~serial:(value serial) ~drover:(value parallel) ()

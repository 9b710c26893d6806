open Drover_harness

(* A byte a cell, 0 or 1, row after row. *)
type board = { side : int; cells : Bytes.t }
type game = { start : board; generations : int }

let random side =
  let rng = Random.State.make [| side |] in
  {
    side;
    cells = Bytes.init (side * side) (fun _ -> Char.chr (Bool.to_int (Random.State.int rng 4 = 0)));
  }

let centred side (pattern : Rle.t) =
  let cells = Bytes.make (side * side) '\000' in
  let left = (side - pattern.width) / 2 and top = (side - pattern.height) / 2 in
  let set (x, y) = Bytes.set cells (((top + y) * side) + left + x) '\001' in
  List.iter set pattern.alive;
  { side; cells }

let[@inline] cell cells i = Char.code (Bytes.unsafe_get cells i)

(* Row [y] of the next generation. Slides along three rows and keeps the sums of the columns to the
   left, here and to the right. All indices are within the board: [above], [here] and [below] are
   starts of rows, and [right < side]. *)
let advance_row { side; cells } next y =
  let above = (y + side - 1) mod side * side in
  let here = y * side in
  let below = (y + 1) mod side * side in
  let column x = cell cells (above + x) + cell cells (here + x) + cell cells (below + x) in
  let left = ref (column (side - 1)) and centre = ref (column 0) in
  for x = 0 to side - 1 do
    let right = column (if x + 1 = side then 0 else x + 1) in
    let nine = !left + !centre + right in
    let lives = nine = 3 || (nine = 4 && cell cells (here + x) = 1) in
    Bytes.unsafe_set next (here + x) (Char.unsafe_chr (Bool.to_int lives));
    left := !centre;
    centre := right
  done

let play (loop : Loop.t) { start; generations } =
  let rec go board spare = function
    | 0 -> board
    | n ->
        loop ~start:0 ~finish:(board.side - 1) (advance_row board spare);
        go { board with cells = spare } board.cells (n - 1)
  in
  let copy = { start with cells = Bytes.copy start.cells } in
  go copy (Bytes.create (Bytes.length start.cells)) generations

let population board = Bytes.fold_left (fun n c -> n + Char.code c) 0 board.cells

let problem what start generations =
  let describe board = Printf.sprintf "%d cells alive" (population board) in
  Kernel.Problem
    {
      about =
        Printf.sprintf "%s on a %d x %d torus, %d generations" what start.side start.side
          generations;
      input = (fun () -> { start; generations });
      serial = play Loop.serial;
      versions = Loop.versions play;
      check = Kernel.equal describe;
      note = describe;
      picture = None;
    }

let prepare (p : Kernel.params) =
  let side, generations = Kernel.by_size p.size ~tiny:(32, 4) ~quick:(1024, 16) ~full:(1024, 100) in
  match p.rle with
  | None -> Ok (problem "random cells" (random side) generations)
  | Some file -> (
      match Rle.read file with
      | Error _ as e -> e
      | Ok pattern when pattern.width > side || pattern.height > side ->
          let size = Printf.sprintf "%d x %d" pattern.width pattern.height in
          Error
            (Printf.sprintf "%s: a pattern of %s does not fit on a torus of side %d" file size side)
      | Ok pattern -> Ok (problem (Filename.basename file) (centred side pattern) generations))

let kernel : Kernel.t =
  { name = "life"; doc = "Conway's Game of Life; --rle gives the pattern"; prepare }

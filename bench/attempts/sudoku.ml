(* The solution of a sudoku: the search tries all digits in the first free cell. *)

let fits grid cell digit =
  let row = cell / 9 and column = cell mod 9 in
  let corner = (row / 3 * 27) + (column / 3 * 3) in
  let rec from i =
    i = 9
    || Bytes.get grid ((9 * row) + i) <> digit
       && Bytes.get grid ((9 * i) + column) <> digit
       && Bytes.get grid (corner + (i / 3 * 9) + (i mod 3)) <> digit
       && from (i + 1)
  in
  from 0

let rec serial_from grid =
  match Bytes.index_opt grid '.' with
  | None -> Some (Bytes.to_string grid)
  | Some cell ->
      let rec from digit =
        if digit > '9' then begin
          Bytes.set grid cell '.';
          None
        end
        else
          let found =
            if fits grid cell digit then begin
              Bytes.set grid cell digit;
              serial_from grid
            end
            else None
          in
          if found <> None then found
          else from (Char.chr (Char.code digit + 1))
      in
      from '1'

(* The uppermost [levels] try their digits in parallel, each in a grid of its own. *)
let rec solve levels grid =
  match Bytes.index_opt grid '.' with
  | Some cell when levels > 0 ->
      Drover.parallel_find_any ~start:1 ~finish:9 (fun i ->
          let digit = Char.chr (Char.code '0' + i) in
          if fits grid cell digit then begin
            let grid = Bytes.copy grid in
            Bytes.set grid cell digit;
            solve (levels - 1) grid
          end
          else None)
  | _ -> serial_from (Bytes.copy grid)

let serial puzzle = serial_from (Bytes.of_string puzzle)
let drover puzzle = solve 4 (Bytes.of_string puzzle)

let puzzles =
  [|
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    "85...24..72......9..4.........1.7..23.5...9...4...........8..7..17..........36.4.";
    "52...6.........7.13...........4..8..6......5...........418.........3..2...87.....";
  |]

let kernel =
  Drover_programs.Program.kernel ~name:"sudoku"
    ~doc:"a sudoku: parallel_find_any at the first four cells"
    ~sizes:(0, 1, 2)
    ~about:(fun i -> "sudoku " ^ puzzles.(i))
    ~input:(Array.get puzzles)
    ~show:(Option.value ~default:"no solution")
    ~serial ~drover ()

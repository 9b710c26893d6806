(* Compares what the main paths take with the table of the budget, and writes the table as it should be.

   Usage: budget TABLE MEASURE-WORDS MEASURE-WRITES HELLO RENEWED-TABLE *)

(* What was measured for a cell. [Nothing] was to be measured, or it is [Unknown] for want of strace. It is
   the [Same] at each run, or [Varying]: then [bound] is what a new row says. *)
type measured = Nothing | Unknown | Same of int | Varying of { value : int; bound : int }

let round_up x = Float.to_int (Float.ceil x)
let varying value = Varying { value; bound = value + ((value + 1) / 2) }

let is_kept (cell : Table.cell) measured =
  match (cell, measured) with
  | Empty, Nothing | _, Unknown -> true
  | Exactly n, Same m -> n = m
  | At_most n, Varying { value; _ } -> value <= n
  | _ -> false

let renewed cell measured : Table.cell =
  match measured with
  | _ when is_kept cell measured -> cell
  | Nothing | Unknown -> Empty
  | Same n -> Exactly n
  | Varying { bound; _ } -> At_most bound

let print = function
  | Nothing | Unknown -> "-"
  | Same value | Varying { value; _ } -> string_of_int value

(* What [program], a build of measure.ml, prints: for each path the operations of a run, and what one of
   them takes. *)
let measure program =
  let channel = Unix.open_process_args_in program [| program |] in
  let lines = In_channel.input_lines channel in
  if Unix.close_process_in channel <> WEXITED 0 then failwith (program ^ " failed");
  let count line = Scanf.sscanf line "%[^\t]\t%d\t%f" (fun name n count -> (name, (n, count))) in
  List.map count lines

let if_traced count =
  if Lazy.force Strace.is_available then
    let { Strace.calls; files } = count () in
    [ varying calls; varying files ]
  else [ Unknown; Unknown ]

(* The difference of one run and three has no part of the program's start. What a program reads once, when
   it needs it first, as the limits of its control groups, may fall into it: a path has enough operations for
   that to be nothing. *)
let trace program name ~operations =
  let count times = Strace.count [ program; name; string_of_int times ] in
  let one = count 1 and three = count 3 in
  let each less more =
    max 0 (Float.to_int (Float.round (Float.of_int (more - less) /. Float.of_int (2 * operations))))
  in
  { Strace.calls = each one.calls three.calls; files = each one.files three.files }

let path_row ~words_program ~words ~writes (path : Paths.t) =
  let operations, word_count = List.assoc path.name words in
  let _, write_count = List.assoc path.name writes in
  let measured count =
    if Paths.is_exact path.place then Same (Float.to_int (Float.round count))
    else varying (round_up count)
  in
  let system =
    if path.traced then if_traced (fun () -> trace words_program path.name ~operations)
    else [ Nothing; Nothing ]
  in
  (path.name, [ measured word_count; measured write_count ] @ system @ [ Nothing ])

let program_row name program =
  let kilobytes = ((Unix.stat program).st_size + 999) / 1000 in
  let size = Varying { value = kilobytes; bound = kilobytes + (kilobytes / 50) } in
  (name, [ Nothing; Nothing ] @ if_traced (fun () -> Strace.count [ program ]) @ [ size ])

let cells (table : Table.t) name =
  match List.find_opt (fun (row : Table.row) -> row.name = name) table.rows with
  | Some { cells; _ } -> cells
  | None -> List.map (fun _ -> Table.Empty) Table.columns

let check table (name, measured) () =
  let breach column (cell, measured) =
    if is_kept cell measured then None
    else
      Some
        (Printf.sprintf "%s: %s expected, %s measured" column (Table.print_cell cell)
           (print measured))
  in
  let breaches = List.map2 breach Table.columns (List.combine (cells table name) measured) in
  match List.filter_map Fun.id breaches with
  | [] -> ()
  | breaches -> Alcotest.failf "%s: %s" name (String.concat "; " breaches)

let check_rows (table : Table.t) measured () =
  let gone (row : Table.row) = if List.mem_assoc row.name measured then None else Some row.name in
  Alcotest.(check (list string)) "paths that are gone" [] (List.filter_map gone table.rows)

let check_tracer () = if not (Lazy.force Strace.is_available) then Alcotest.skip ()

let () =
  let words_program = Sys.argv.(2) in
  let table = Table.read Sys.argv.(1) in
  let words = measure words_program and writes = measure Sys.argv.(3) in
  let measured =
    List.map (path_row ~words_program ~words ~writes) Paths.all
    @ [ program_row "a program, hello world" Sys.argv.(4) ]
  in
  let renew (name, measured) : Table.row =
    { name; cells = List.map2 renewed (cells table name) measured }
  in
  Table.write Sys.argv.(5) { table with rows = List.map renew measured };
  let case name check = Alcotest.test_case name `Quick check in
  Alcotest.run
    ~argv:[| Sys.argv.(0); "--show-errors" |]
    "budget"
    [
      ( "table",
        [
          case "has no other rows" (check_rows table measured);
          case "has system calls, which strace counts" check_tracer;
        ] );
      ("paths", List.map (fun row -> case (fst row) (check table row)) measured);
    ]

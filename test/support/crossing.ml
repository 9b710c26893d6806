module Gen = QCheck2.Gen

type program =
  | Value of int
  | Failure of int
  | Pair of program * program (* at the same time, on this side *)
  | Pause of program (* and then *)
  | Over of program (* on the other side *)

let program =
  let leaf =
    Gen.(
      oneof_weighted
        [ (9, map (fun n -> Value n) nat_small); (1, map (fun n -> Failure n) nat_small) ])
  in
  Gen.(
    sized_size (int_bound 60)
    @@ fix (fun self n ->
        if n <= 1 then leaf
        else
          oneof
            [
              map2 (fun p q -> Pair (p, q)) (self (n / 2)) (self (n / 2));
              map (fun p -> Pause p) (self (n - 1));
              map (fun p -> Over p) (self (n - 1));
            ]))

let rec print = function
  | Value n -> string_of_int n
  | Failure n -> Printf.sprintf "fail %d" n
  | Pair (p, q) -> Printf.sprintf "(%s, %s)" (print p) (print q)
  | Pause p -> Printf.sprintf "pause; %s" (print p)
  | Over p -> Printf.sprintf "over (%s)" (print p)

let rec expected = function
  | Value n -> Ok n
  | Failure n -> Error [ n ]
  | Pause p | Over p -> expected p
  | Pair (p, q) -> (
      match (expected p, expected q) with
      | Ok m, Ok n -> Ok (m + n)
      | Error l, Error r -> Error (l @ r)
      | (Error _ as failed), Ok _ | Ok _, (Error _ as failed) -> failed)

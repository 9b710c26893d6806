(* A line is a queue that one may also leave from the middle, once: compared with a list. *)

open QCheck

type op = Join | Next | Leave of int  (** the one that joined as the n-th, wherever it is now *)

let show = function Join -> "Join" | Next -> "Next" | Leave n -> Printf.sprintf "Leave %d" n

let ops =
  let op =
    Gen.oneof_weighted
      [ (3, Gen.pure Join); (1, Gen.pure Next); (2, Gen.map (fun n -> Leave n) Gen.nat_small) ]
  in
  make ~print:(Print.list show) ~shrink:(fun l -> Shrink.list l) (Gen.list op)

type who = { ticket : int }
type state = { line : who Line.t; queue : who list; all : who list (* newest first *) }

let step s = function
  | Join ->
      let who = { ticket = Line.ticket s.line } in
      { line = Line.join s.line who; queue = s.queue @ [ who ]; all = who :: s.all }
  | Next -> (
      match s.queue with
      | [] -> s
      | first :: queue when Line.first s.line == first ->
          { s with line = Line.others s.line; queue }
      | _ :: _ -> Test.fail_report "not the first")
  | Leave n -> (
      match List.nth_opt s.all n with
      | None -> s
      | Some who ->
          let line = Line.without s.line who.ticket who in
          let is_there = List.memq who s.queue in
          if is_there = (line == s.line) then Test.fail_report "left, or did not";
          { s with line; queue = List.filter (( != ) who) s.queue })

let agrees ops =
  let check s op =
    let s = step s op in
    if Line.length s.line <> List.length s.queue then Test.fail_report "another length";
    if not (List.equal ( == ) (Line.to_list s.line) s.queue) then
      Test.fail_report "others, or in another order";
    s
  in
  let (_ : state) = List.fold_left check { line = Line.empty; queue = []; all = [] } ops in
  true

let () = Test_support.Properties.run [ Test.make ~count:2000 ~name:"a line is a queue" ops agrees ]

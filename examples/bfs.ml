(* How far each vertex of a graph is from one of them: a breadth-first
   search that changes its direction where the frontier is wide. *)

(* The neighbours of v are targets.(rows.(v)) and those behind it, up to
   targets.(rows.(v + 1) - 1). *)
type graph = { rows : int array; targets : int array }

let distances { rows; targets } source =
  let n = Array.length rows - 1 in
  let distance = Array.make n (-1) in
  let rec search level frontier =
    let apply v level =
      distance.(v) < 0
      && begin
        distance.(v) <- level;
        true
      end
    in
    let scatter out _ lo hi =
      for e = lo to hi do
        let v = targets.(e) in
        if distance.(v) < 0 then Drover.Frontier.send out v level
      done
    in
    let rec finds e hi =
      e <= hi
      && (Drover.Frontier.mem frontier targets.(e) || finds (e + 1) hi)
    in
    let gather v lo hi = distance.(v) < 0 && finds lo hi && apply v level in
    if not (Drover.Frontier.is_empty frontier) then
      search (level + 1)
        (if Drover.Frontier.should_pull frontier rows then
           Drover.Frontier.pull frontier rows ~gather
         else Drover.Frontier.push frontier rows ~scatter ~apply)
  in
  distance.(source) <- 0;
  search 1 (Drover.Frontier.of_array n [| source |]);
  distance

(* The corners of a cube of so many dimensions. *)
let cube dimensions =
  let n = 1 lsl dimensions in
  {
    rows = Array.init (n + 1) (fun v -> dimensions * v);
    targets =
      Array.init (dimensions * n) (fun e ->
          e / dimensions lxor (1 lsl (e mod dimensions)));
  }

let () =
  let distance = distances (cube 14) 0 in
  Printf.printf "corner 7 is %d steps away\n" distance.(7);
  Printf.printf "the farthest corner is %d steps away\n"
    (Drover.Array.reduce ~init:0 ~combine:Int.max Fun.id distance)

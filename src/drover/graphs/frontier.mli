(** Frontiers: the vertices of a graph that a search, or another algorithm in rounds, goes on from.

    A graph is in compressed rows: an array [rows] of [n + 1] ints, where the edges of the vertex
    [v] are numbered from [rows.(v)] to [rows.(v + 1) - 1]. What an edge has, such as its target and
    its weight, is in arrays of the caller's, by its number. A round makes the next frontier by one
    of two ways:

    - {!push} goes along the edges that leave the frontier, and sends to their targets. It takes
      time in proportion to these edges.
    - {!pull} goes through all vertices, and looks in each whether an edge comes from the frontier.
      It can stop at the first one: where the frontier has a good part of all edges, that is faster.

    {!should_pull} chooses, as in Beamer, Asanović, Patterson,
    {e Direction-optimizing breadth-first search} (SC 2012). This is how far each vertex is from the
    vertex 0:

    {[
    (* 0 - 1 - 2, and 3 *)
    let rows = [| 0; 1; 3; 4; 4 |]
    and targets = [| 1; 0; 2; 1 |]

    let distances () =
      let distance = [| 0; -1; -1; -1 |] in
      let rec search level frontier =
        let scatter out _ lo hi =
          for e = lo to hi do
            Drover.Frontier.send out targets.(e) level
          done
        and apply v level =
          distance.(v) < 0
          && begin
            distance.(v) <- level;
            true
          end
        in
        if not (Drover.Frontier.is_empty frontier) then
          search (level + 1) (Drover.Frontier.push frontier rows ~scatter ~apply)
      in
      search 1 (Drover.Frontier.of_array 4 [| 0 |]);
      distance
    ]}

    {[
    distances () = [| 0; 1; 2; -1 |]
    ]}

    No function that is given here runs beside another one that could write to the same vertex, so
    the arrays of a search are plain ones, without locks and atomics. Results do not depend on the
    number of domains. All functions may be called from anywhere. Those whose work is not constant
    suspend or block until their loops have ended, and raise what the functions raise that they were
    given. *)

type t
(** The type for frontiers. They do not change; each has an array of its vertices, or a mark for
    each vertex of the graph, or both, as needed. *)

val of_array : int -> int array -> t
(** [of_array n vertices] is a frontier of [vertices], in this order, in a graph of [n] vertices.
    Raises [Invalid_argument] unless all are from 0 to [n - 1]. Work: O([Array.length vertices]), in
    parallel.

    {[
    Drover.Frontier.to_array (Drover.Frontier.of_array 5 [| 3; 1 |]) = [| 3; 1 |]
    ]} *)

val length : t -> int
(** [length f] is the number of vertices of the graph. Never waits.

    {[
    Drover.Frontier.length (Drover.Frontier.of_array 5 [| 3; 1 |]) = 5
    ]} *)

val cardinal : t -> int
(** [cardinal f] is the number of vertices in [f]. Never waits.

    {[
    Drover.Frontier.cardinal (Drover.Frontier.of_array 5 [| 3; 1 |]) = 2
    ]} *)

val is_empty : t -> bool
(** [is_empty f] is [cardinal f = 0]. Never waits.

    {[
    Drover.Frontier.is_empty (Drover.Frontier.of_array 5 [||])
    ]} *)

val mem : t -> int -> bool
(** [mem f v] is [true] iff [v] is in [f]. It is a load, but for the first call on what {!of_array}
    or {!push} made, which takes O([length f]) unless {!pull} has been there before. Raises
    [Invalid_argument] unless [0 <= v < length f].

    {[
    Drover.Frontier.mem (Drover.Frontier.of_array 5 [| 3; 1 |]) 3
    ]} *)

val to_array : t -> int array
(** [to_array f] is the array of the vertices in [f]: in the order in which they joined, or in
    increasing order if {!pull} made [f]. Work: O([cardinal f]), or O([length f]) then, in parallel.

    {[
    let everybody = Drover.Frontier.of_array 3 [| 2; 0; 1 |] in
    let gather v _ _ = v > 0 in
    let next = Drover.Frontier.pull everybody [| 0; 0; 0; 0 |] ~gather in
    Drover.Frontier.to_array next = [| 1; 2 |]
    ]} *)

(** {1 Rounds}

    [rows] has one number more than there are vertices, and does not decrease; these functions raise
    [Invalid_argument] if its length is another one. *)

type outbox
(** The type for where {!push} has vertices send to. *)

val send : outbox -> int -> int -> unit
(** [send out v x] sends [x] to the vertex [v], which {!push} then applies. To be called by
    [scatter] only, with the [out] that it was given, and before it returns. Never waits. Raises
    [Invalid_argument] unless [v] is a vertex of the graph.

    {[
    let scatter out _ _ _ =
      Drover.Frontier.send out 1 10;
      Drover.Frontier.send out 2 20
    in
    let frontier = Drover.Frontier.of_array 3 [| 0 |] in
    let apply _ x = x > 10 in
    let next = Drover.Frontier.push frontier [| 0; 2; 2; 2 |] ~scatter ~apply in
    Drover.Frontier.to_array next = [| 2 |]
    ]} *)

val push :
  t -> int array -> scatter:(outbox -> int -> int -> int -> unit) -> apply:(int -> int -> bool) -> t
(** [push f rows ~scatter ~apply] calls [scatter out v lo hi] for the edges from [lo] to [hi] of
    each vertex [v] in [f], which {!send}s to vertices, and [apply u x] for each [x] that was sent
    to [u]. The vertices for which that is [true] are the next frontier, in an order that depends on
    arguments and results only: each of them as often as it was, so [apply] should be [true] once.

    A vertex of many edges may have several calls of [scatter], each for a part of them. What was
    sent to one vertex is applied in the order of [f] and of the edges. [apply u] may read and write
    what belongs to [u]: no other [apply u] runs meanwhile, and no [scatter] does. [scatter] may
    read all of that, and should send only what [apply] may want: what others have sent is applied
    already or not, depending on where they are in [f].

    Work: the calls, O(1) for each edge of [f] and what is sent; span: O(log) forks and some
    thousand edges, or what a 64th of the vertices is sent.

    {[
    let rows = [| 0; 1; 3; 4; 4 |] and targets = [| 1; 0; 2; 1 |] in
    let best = [| 10; 20; 30; 40 |] in
    let scatter out v lo hi =
      for e = lo to hi do
        Drover.Frontier.send out targets.(e) (best.(v) + 1)
      done
    and apply v x =
      x < best.(v)
      && begin
        best.(v) <- x;
        true
      end
    in
    let frontier = Drover.Frontier.of_array 4 [| 0 |] in
    let next = Drover.Frontier.push frontier rows ~scatter ~apply in
    (Drover.Frontier.to_array next, best) = ([| 1 |], [| 10; 11; 30; 40 |])
    ]} *)

val pull : t -> int array -> gather:(int -> int -> int -> bool) -> t
(** [pull f rows ~gather] is the frontier of the vertices [v] for which
    [gather v rows.(v) (rows.(v + 1) - 1)] is [true]. It is called once for each vertex of the
    graph, and may write what belongs to [v]. In a directed graph, [rows] has the edges that lead to
    each vertex. After this, {!mem}[ f] is a load; and so is [mem] of the result.

    Work: the calls, and O([length f]); span: O(log) forks and some thousand vertices, or the
    longest call.

    {[
    let rows = [| 0; 1; 3; 4; 4 |] and targets = [| 1; 0; 2; 1 |] in
    let frontier = Drover.Frontier.of_array 4 [| 0; 2 |] in
    let leads e = Drover.Frontier.mem frontier targets.(e) in
    let rec gather v lo hi = lo <= hi && (leads lo || gather v (lo + 1) hi) in
    let next = Drover.Frontier.pull frontier rows ~gather in
    Drover.Frontier.to_array next = [| 1 |]
    ]} *)

val should_pull : t -> int array -> bool
(** [should_pull f rows] is [true] iff [f] has more than a twentieth of all edges, as Ligra chooses
    (Shun, Blelloch, PPoPP 2013); if it has fewer than a hundredth of all vertices, it is [false].
    [rows] has the edges that leave each vertex. Work: O([cardinal f]), or O([length f]) if {!pull}
    made [f], in parallel.

    {[
    let rows = [| 0; 1; 3; 4; 4 |] in
    let from v = Drover.Frontier.of_array 4 [| v |] in
    let should_pull v = Drover.Frontier.should_pull (from v) rows in
    (should_pull 1, should_pull 3) = (true, false)
    ]} *)

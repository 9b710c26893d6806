open Drover_harness

let kernel ~name ~doc ~sizes:(tiny, quick, full) ~about ~input ?check ~show
    ~serial ~drover ?domainslib () : Kernel.t =
  let prepare (p : Kernel.params) =
    let size = Kernel.by_size p.size ~tiny ~quick ~full in
    let made = lazy (input size) in
    Ok
      (Kernel.Problem
         {
           about = about size;
           input = (fun () -> Lazy.force made);
           serial;
           versions =
             Kernel.drover drover
             :: Option.to_list
                  (Option.map (fun f -> Kernel.domainslib f) domainslib);
           check = Option.value check ~default:(Kernel.equal show);
           note = show;
           picture = None;
         })
  in
  { name; doc; prepare }

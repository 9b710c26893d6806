open Cmdliner
open Drover_watch
open Drover_scale

let json =
  let doc = "Write the figures to $(docv), as JSON." in
  Arg.(value & opt (some string) None & info [ "json" ] ~docv:"FILE" ~doc)

let html =
  let doc = "Write tables and a plot to $(docv), as a web page that needs nothing else." in
  Arg.(value & opt (some string) None & info [ "html" ] ~docv:"FILE" ~doc)

let save file text = Out_channel.with_open_bin file (fun oc -> output_string oc text)

let scale json html program =
  let show ({ status; scalability } : Measured.t) =
    let name = Fmt.str "@[<h>%a@]" Program.pp program in
    Print.pp name Fmt.stderr scalability;
    let text () = Yojson.Safe.pretty_to_string ~std:true (Print.to_json name scalability) ^ "\n" in
    Option.iter (fun file -> save file (text ())) json;
    Option.iter (fun file -> save file (Page.to_html name scalability)) html;
    Watch.code_of_status status
  in
  Measured.run program |> Result.map show

let main =
  let open Term.Syntax in
  let+ json and+ html and+ words = Watched.words in
  let files = Option.to_list json @ Option.to_list html in
  Watched.run words ~files (scale json html)

let man =
  [
    `S Manpage.s_description;
    `P
      "Runs a program that uses Drover on one core, and then prints on standard error how much \
       faster it could be on more. All its pools have one worker; the time between forks, joins \
       and waits is measured. The program needs no preparation. It takes a microsecond or two more \
       for each fork, which the figures leave out.";
    `P
      "The $(b,work) is what one core does, the $(b,span) the longest chain of steps of which each \
       needs the one before. Their quotient, the $(b,parallelism), bounds the speed-up on any \
       number of cores. The burdened parallelism takes a steal for every fork on the chain into \
       account, as the Cilkview analyzer does. $(b,serial) is the part of the work that is in no \
       fork, loop or task.";
    `P
      "For each number of cores the table says what the speed-up is $(b,at least), if every fork \
       is a steal; $(b,likely), with a scheduler that never lets a core rest in vain; and $(b,at \
       most). In the bars, which double every four columns, these are $(b,#), $(b,+) and $(b,.). \
       The last table has the places in the program that fork, with their part of the span: what \
       is on top there is to be divided first.";
    `P
      "Not seen are waits for locks that are free on one core, memory and caches that cores share, \
       and collections that have to wait for every core: $(b,drover stat) shows those, on the \
       cores that there are.";
    `S Manpage.s_examples;
    `Pre "drover scale ./solver.exe --size 9";
    `Pre "drover scale --html scale.html -- _build/default/bin/main.exe";
    `S Manpage.s_environment;
    `P "$(b,NO_COLOR), if set, turns colours off; they are off anyway if not on a terminal.";
    `P "$(b,DROVER_SCALE) names, for the program, the file that it writes when it ends.";
  ]

let takes_value = [ "--json"; "--html" ]

let cmd =
  let doc = "run a program and tell how far it could scale" in
  Cmd.v (Cmd.info "scale" ~doc ~exits:Watched.exits ~man) main

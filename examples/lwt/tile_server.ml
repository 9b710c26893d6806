(* The Mandelbrot set over HTTP: tiles as PNG, rendered on all cores, and a page that shows them. *)

let text = "text/plain; charset=utf-8"

let tile ?pool t =
  Lwt.bind
    (Drover_lwt.detach ?pool (fun () -> Tile.render t))
    (fun picture -> Http_server.respond ~kind:"image/png" picture)

let answer ?pool (request : Http.Request.t) =
  let path = Uri.path (Cohttp.Request.uri request) in
  match (Cohttp.Request.meth request, path, Tile.of_path path) with
  | `GET, "/", _ -> Http_server.respond ~kind:"text/html; charset=utf-8" Page.html
  | `GET, _, Some t -> tile ?pool t
  | `GET, _, None -> Http_server.respond ~status:`Not_found ~kind:text "there is no such page\n"
  | _ -> Http_server.respond ~status:`Method_not_allowed ~kind:text "only GET\n"

let refuse (_, output) =
  Lwt_io.write output "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n"

let run port domains at_most =
  let pool = Option.map (fun domains -> Drover.Pool.create ~name:"tiles" ~domains ()) domains in
  let server = Serve.create ~at_most in
  let connection = Http_server.connection ~stopping:server.stopping (answer ?pool) in
  Lwt_main.run (Serve.run server ~port ~patience:10. ~refuse connection)

let () =
  let open Cmdliner in
  let open Term.Syntax in
  let number name default doc = Arg.(value & opt int default & info [ name ] ~doc) in
  let term =
    let+ port = number "port" 8080 "The port; 0 for a free one."
    and+ domains =
      Arg.(value & opt (some int) None & info [ "domains" ] ~doc:"Domains that compute.")
    and+ at_most = number "connections" 1000 "Connections at a time." in
    run port domains at_most
  in
  exit (Cmd.eval (Cmd.v (Cmd.info "tile_server" ~doc:"The Mandelbrot set over HTTP") term))

(* The Mandelbrot set over HTTP: tiles as PNG, rendered on all cores, and a page that shows them. *)

open Example_servers

let text = "text/plain; charset=utf-8"

let tile ?pool t =
  Lwt.bind
    (Drover_lwt.detach ?pool (fun () -> Tile.render t))
    (fun picture -> Http_server.respond ~kind:"image/png" picture)

let no_tile =
  Printf.sprintf
    "a tile is /tile/ZOOM/X/Y.png, with ZOOM up to %d, X and Y below 2^ZOOM\n"
    Tile.deepest

let answer ?pool (request : Http.Request.t) =
  let path = Uri.path (Cohttp.Request.uri request) in
  match (Cohttp.Request.meth request, path, Tile.of_path path) with
  | `GET, "/", _ ->
      Http_server.respond ~kind:"text/html; charset=utf-8" Page.html
  | `GET, _, Some t -> tile ?pool t
  | `GET, _, None when String.starts_with ~prefix:"/tile/" path ->
      Http_server.respond ~status:`Bad_request ~kind:text no_tile
  | `GET, _, None ->
      Http_server.respond ~status:`Not_found ~kind:text
        "there is no such page\n"
  | _ ->
      Http_server.respond ~status:`Method_not_allowed ~kind:text
        "only GET\n"

let refuse (client : Serve.client) =
  Lwt_io.write client.output
    "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n"

let run settings domains =
  let pool =
    Option.map
      (fun domains -> Drover.Pool.create ~name:"tiles" ~domains ())
      domains
  in
  Lwt_main.run
    (Serve.run settings ~refuse (Http_server.serve (answer ?pool)))

let () =
  let open Cmdliner in
  let open Term.Syntax in
  let term =
    let+ settings = Serve.settings ~port:8080
    and+ domains =
      Arg.(
        value
        & opt (some int) None
        & info [ "domains" ] ~doc:"Domains that compute.")
    in
    run settings domains
  in
  exit
    (Cmd.eval
       (Cmd.v
          (Cmd.info "tile_server" ~doc:"The Mandelbrot set over HTTP")
          term))

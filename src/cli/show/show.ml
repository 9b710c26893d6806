let digits x =
  let size = Float.abs x in
  if size = 0. then "0"
  else if size >= 99.95 then Printf.sprintf "%.0f" x
  else if size >= 9.995 then Printf.sprintf "%.1f" x
  else if size >= 0.01 then Printf.sprintf "%.2f" x
  else Printf.sprintf "%.1e" x

let roughly x =
  let size = Float.abs x in
  if size >= 9.95 && Float.is_integer x then Printf.sprintf "%.0f" x
  else if size >= 9.95 then
    let unit_ = Float.pow 10. (Float.floor (Float.log10 size) -. 1.) in
    Printf.sprintf "%.0f" (Float.round (x /. unit_) *. unit_)
  else if size >= 0.995 then Printf.sprintf "%.1f" x
  else if size >= 0.0995 then Printf.sprintf "%.2f" x
  else Printf.sprintf "%.2g" x

let seconds s =
  if s = 0. then "0"
  else if s < 1e-6 then digits (s *. 1e9) ^ " ns"
  else if s < 1e-3 then digits (s *. 1e6) ^ " us"
  else if s < 1. then digits (s *. 1e3) ^ " ms"
  else digits s ^ " s"

let times r = if Float.abs r < 9.995 then Printf.sprintf "%.2fx" r else digits r ^ "x"
let percent f = Printf.sprintf "%.1f%%" (100. *. f)

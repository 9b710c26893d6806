let title ppf text = Fmt.pf ppf "@.%a@.@." Fmt.(styled `Bold string) text

let rows ppf rows =
  let width = List.fold_left (fun w (_, what, _) -> Int.max w (String.length what)) 0 rows in
  let row (value, what, why) =
    let padded = what ^ String.make (width - String.length what) ' ' in
    let strong = Fmt.(styled `Bold string) in
    if why = "" then Fmt.pf ppf "  %14s  %a@." value strong what
    else Fmt.pf ppf "  %14s  %a  @[%a@]@." value strong padded Fmt.text why
  in
  List.iter row rows

let remarks style ppf texts =
  let remark text = Fmt.pf ppf "%a @[%a@]@." Fmt.(styled style string) "*" Fmt.text text in
  List.iter remark texts

let warnings = remarks `Red
let advice = remarks `Yellow

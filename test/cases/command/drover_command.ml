let drover arguments = Case.built "cli/main.exe" :: arguments
let subject what = [ Case.built "test/cases/command/observed/subject.exe"; what ]

let number_in output =
  let number line = Scanf.sscanf_opt line "number %d" Fun.id in
  match List.find_map number (String.split_on_char '\n' output) with
  | Some n -> n
  | None -> failwith ("the program says: " ^ output)

let trace file =
  let end_ = Case.call (drover ([ "trace"; "-o"; file ] @ subject "short")) in
  if not (Case.ended_well end_) then failwith end_.output

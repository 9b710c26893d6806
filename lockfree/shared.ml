let rec update cell step =
  let before = Atomic.get cell in
  if Atomic.compare_and_set cell before (step before) then before else update cell step

let change cell step = ignore (update cell step)
let push cell x = change cell (fun items -> x :: items)

let pause n =
  for _ = 1 to n do
    Domain.cpu_relax ()
  done

let now = Drover_machine.Work.now
let read = Drover_shadow.Files.read

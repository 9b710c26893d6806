let until f =
  while not (f ()) do
    Domain.cpu_relax ()
  done

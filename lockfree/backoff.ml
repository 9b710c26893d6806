let pause n =
  for _ = 1 to n do
    Domain.cpu_relax ()
  done

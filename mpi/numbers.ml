type native = unit

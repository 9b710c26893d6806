let nobody = 0

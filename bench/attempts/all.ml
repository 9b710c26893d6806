let kernels =
  [ Logs_seq.kernel; Logs_delayed.kernel; Logs_file.kernel; Blur.kernel ]
  @ Asian.kernels
  @ [ Md5.kernel; Md5_tree.kernel; Sudoku.kernel ]
  @ Conjugate_gradient.kernels @ Shortest_paths.kernels
  @ [ Edit_distances.kernel; Connect_four.kernel ]
  @ Tutorial.kernels

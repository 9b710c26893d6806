let kernels =
  [
    Words.kernel;
    Records.kernel;
    Bfs.kernel;
    Page_rank.kernel;
    Triangles.kernel;
    Independent_set.kernel;
    Derivative.kernel;
    Json.kernel;
  ]

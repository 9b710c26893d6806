let kernels =
  [
    Words.kernel;
    Distinct.kernel;
    Records.kernel;
    Bfs.kernel;
    Page_rank.kernel;
    Triangles.kernel;
    Independent_set.kernel;
    Spanning_forest.kernel;
    Minimum_forest.kernel;
    Suffix_array.kernel;
    Hull.kernel;
    Neighbours.kernel;
    K_means.kernel;
    Derivative.kernel;
    Json.kernel;
  ]

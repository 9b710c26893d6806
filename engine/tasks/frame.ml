external holds : 'a -> bool = "drover_frame_holds"

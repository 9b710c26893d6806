(** Without DROVER_DEBUG, notices that the program stands still for good while its main thread
    waits, and says so by {!Debug}, once. With DROVER_DEBUG, {!Watch} does; with DROVER_DEBUG=0,
    nobody. On Linux.

    It looks only while the main thread is parked, once a second. *)

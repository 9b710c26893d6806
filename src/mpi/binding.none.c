/* Where no MPI was found, there is nothing to bind. */

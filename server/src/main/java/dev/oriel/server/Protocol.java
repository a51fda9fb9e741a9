package dev.oriel.server;

/// Reads requests and answers them, for one connection.
interface Protocol {
    /// Outcome of a run.
    enum Outcome {
        /// All whole requests are done.
        WAITING,
        /// The next request may wait, for a lock or a disk, and may not do so on this thread.
        MAY_BLOCK,
        /// Enough has been written for now: it is to be sent before the next request.
        FULL,
        /// The output is to be sent, and the connection closed.
        CLOSE
    }

    /// Bytes of answers gathered before they are sent.
    int OUTPUT_BYTES_MAX = 64 << 10;

    /// Executes the complete requests of `in`.
    ///
    /// @param mayBlock whether the thread may wait
    Outcome run(Input in, Output out, boolean mayBlock);

    /// All answers so far were handed to the system, or are about to be in small pieces.
    default void sent() {}

    /// The client of the connection.
    Client client();

    /// Whether the client has to log in before any other request.
    boolean isStranger();

    /// Frees the connection's resources; nothing else is called afterwards.
    void close();
}

package dev.oriel.bench.couchbase;

import dev.oriel.bench.Run;
import dev.oriel.bench.Subject;

/// A third-party client in a loop against Oriel's server.
public interface ClientLoop extends Subject {
    /// Connects to the server, works, and reports the measurements of `caseName` to `run`.
    ///
    /// @param couchbasePort port for Couchbase's clients, with the user and password of
    ///     [OrielServerStart]
    void run(Run run, String caseName, int couchbasePort) throws Exception;
}

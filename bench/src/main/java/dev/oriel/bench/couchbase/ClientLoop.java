package dev.oriel.bench.couchbase;

import dev.oriel.bench.Run;
import dev.oriel.bench.Subject;

/// Somebody else's client in a loop against our server.
public interface ClientLoop extends Subject {
    /// Connects to the server, works, and tells `run` what was measured as `caseName`.
    ///
    /// @param couchbasePort where Couchbase's clients are served, to the user and password of
    ///     [OrielServerStart]
    void run(Run run, String caseName, int couchbasePort) throws Exception;
}

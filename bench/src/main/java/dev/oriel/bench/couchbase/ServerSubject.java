package dev.oriel.bench.couchbase;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Subject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/// A key-value server that runs as a process.
///
/// @param program the program that must be installed for it
/// @param speaks the protocols that it answers
/// @param durability durability of its answered writes
/// @param command the command that starts it
record ServerSubject(
        String name,
        String product,
        String settings,
        String program,
        Set<WireProtocol> speaks,
        Durability durability,
        Command command)
        implements Subject {

    /// Builds the command line.
    @FunctionalInterface
    interface Command {
        /// The words of its command, for a server that listens at `port`.
        ///
        /// @param folder folder for its files
        List<String> of(int port, Path folder);
    }

    ServerProcess start(Path folder) throws IOException, InterruptedException {
        int port = ServerProcess.freePort();
        return ServerProcess.start(command.of(port, folder), port, folder);
    }

    /// The reason that it cannot run here; empty if it can.
    String missing() {
        for (String one : new String[] {"taskset", program}) {
            if (!ServerProcess.installed(one)) {
                return one + " is not installed";
            }
        }
        return "";
    }
}

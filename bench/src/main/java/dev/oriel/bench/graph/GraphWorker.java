package dev.oriel.bench.graph;

import dev.oriel.bench.Durability;
import dev.oriel.bench.ParentWatchdog;
import dev.oriel.bench.Run;
import dev.oriel.bench.Scale;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.regex.Pattern;

/// The main class of a fresh JVM for a graph with a class path, or a JDK, of its own: one scenario of the workload
/// `hugegraph`. The graph is the one [GraphOpening] on the class path.
///
/// Arguments: as in [dev.oriel.bench.Worker]. The property `oriel.durability` is the class of durability of scenarios
/// that only read.
public final class GraphWorker {
    private GraphWorker() {}

    /// Runs it; the measurements go to standard output.
    public static void main(String[] args) throws Exception {
        ParentWatchdog.watch();
        PrintStream out = System.out;
        System.setOut(System.err); // a peer may print, and not always whole lines
        Iterator<GraphOpening> found = ServiceLoader.load(GraphOpening.class).iterator();
        if (!found.hasNext()) {
            throw new IllegalStateException("No graph is on the class path");
        }
        Scale scale = Scale.valueOf(args[3].toUpperCase(Locale.ROOT));
        Run run =
                new Run(
                        scale,
                        Path.of(args[4]),
                        Long.parseLong(args[5]),
                        Pattern.compile(args[6]).asPredicate(),
                        out);
        HugegraphWork.run(
                args[1],
                found.next(),
                Durability.valueOf(System.getProperty("oriel.durability", "WRITTEN")),
                HugegraphSizes.of(scale),
                run);
        out.flush();
        Runtime.getRuntime().halt(0); // threads and hooks of a peer that is closed already
    }
}

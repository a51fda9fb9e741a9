package dev.oriel.bench.faces;

import dev.oriel.bench.ParentWatchdog;
import dev.oriel.bench.Run;
import dev.oriel.bench.Scale;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.regex.Pattern;

/// The main class of a fresh JVM for a peer with a class path of its own: one scenario of the workload `faces`.
/// The peer is the one [FacesOpening] on the class path.
///
/// Arguments: as in [dev.oriel.bench.Worker].
public final class FacesWorker {
    private FacesWorker() {}

    /// Runs it; the measurements go to standard output.
    public static void main(String[] args) throws Exception {
        ParentWatchdog.watch();
        PrintStream out = System.out;
        System.setOut(System.err); // a peer may print, and not always whole lines
        Iterator<FacesOpening> found = ServiceLoader.load(FacesOpening.class).iterator();
        if (!found.hasNext()) {
            throw new IllegalStateException("No store of faces is on the class path");
        }
        Scale scale = Scale.valueOf(args[3].toUpperCase(Locale.ROOT));
        Run run =
                new Run(
                        scale,
                        Path.of(args[4]),
                        Long.parseLong(args[5]),
                        Pattern.compile(args[6]).asPredicate(),
                        out);
        FacesWork.run(args[1], found.next(), FacesPace.of(scale), run);
        out.flush();
        Runtime.getRuntime().halt(0); // threads and hooks of a peer that is closed already
    }
}

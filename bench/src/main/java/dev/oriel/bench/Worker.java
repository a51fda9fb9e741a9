package dev.oriel.bench;

import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;

/// The main class of a fresh JVM: one scenario for one subject.
///
/// Arguments: WORKLOAD SCENARIO SUBJECT quick|full FOLDER SEED CASES, the last a regular expression
/// that is looked for in the names of cases.
public final class Worker {
    private Worker() {}

    /// Runs it; its figures go to standard output.
    public static void main(String[] args) throws Exception {
        ParentWatchdog.watch();
        Catalog catalog = new Catalog();
        Workload workload = catalog.workload(args[0]);
        Subject subject = catalog.subject(workload, args[2]);
        Scale scale = Scale.valueOf(args[3].toUpperCase(Locale.ROOT));
        Scenario scenario =
                workload.scenarios(scale, catalog.subjects()).stream()
                        .filter(one -> one.name().equals(args[1]))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException("No scenario " + args[1]));
        Run run =
                new Run(
                        scale,
                        Path.of(args[4]),
                        Long.parseLong(args[5]),
                        Pattern.compile(args[6]).asPredicate(),
                        System.out);
        workload.run(scenario, subject, run);
        System.exit(0); // a peer may leave threads behind
    }
}

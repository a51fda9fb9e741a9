package dev.oriel.profiler;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The profiler as a Java agent: puts probes into a program without changing it.
///
/// ```
/// java -javaagent:oriel-profiler.jar='include=com.acme.**;exclude=com.acme.gen.**' ...
/// ```
/// [Watched] methods always get a probe. Others get one if a pattern of `include` matches them and none of
/// `exclude` does. Patterns are separated by commas: `com.acme.**` is a package and its subpackages, `com.acme.*`
/// a package, `com.acme.Order` a class, `com.acme.Order::total*` some methods.
/// With `report=FILE` the agent profiles the whole run and writes a report when the JVM ends, in the format of the
/// file's ending ([ReportFormat]). The options of the recording are `samples=cpu,allocation` (`usual`, `none`),
/// `every=10` (milliseconds), `tree=allocation,expand,timed` and `engine=async`. `recording=FILE` keeps the Flight
/// Recorder's own file. While the program runs, [Weaving] changes the patterns.
///
/// With `run=FOLDER` it writes a [RunFile], named after the process, for a comparison of runs; `warmup=MILLIS`
/// delays the start of that run.
///
/// Instrumentation never changes the behaviour of a class. A class that cannot be instrumented is left as it is,
/// and named with the reason on the standard error stream. While no profile runs, a call costs about a nanosecond
/// more.
public final class Agent {
    private Agent() {}

    /// Called by the JVM before the program's `main`.
    public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
        AgentOptions options = AgentOptions.parse(arguments);
        ProbeTransformer transformer =
                new ProbeTransformer(options, instrumentation, Agent::complain);
        instrumentation.addTransformer(transformer, true);
        Weaving.install(instrumentation, transformer);
        Weaving.weaveLoaded(name -> true);
        Path report = options.report();
        if (report != null) {
            Profile profile = Profile.start(options.profile());
            Runtime.getRuntime().addShutdownHook(new Thread(() -> write(profile, report)));
        }
        Path run = options.run();
        if (run != null) {
            ForkRecording.start(run, options.warmup(), options.profile(), Agent::complain);
        }
    }

    private static void write(Profile profile, Path file) {
        try {
            Report.byName(file, "Profile of " + file.getFileName()).write(profile.stop(), file);
        } catch (IOException e) {
            complain("No report in " + file + ": " + e);
        }
    }

    static void complain(String message) {
        System.err.println("oriel-profiler: " + message);
    }
}

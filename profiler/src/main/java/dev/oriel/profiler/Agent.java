package dev.oriel.profiler;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The profiler as a Java agent: puts probes into a program without changing it.
///
/// ```
/// java -javaagent:oriel-profiler.jar='include=com.acme.**;exclude=com.acme.gen.**' ...
/// ```
/// Methods that are [Watched] get a probe always, others if a pattern of `include` matches them and
/// none of `exclude` does. Patterns stand between commas: `com.acme.**` is a package and those below
/// it, `com.acme.*` a package, `com.acme.Order` a class, `com.acme.Order::total*` some methods.
/// With `report=FILE` the agent profiles the whole run and writes a report when the JVM ends, in the
/// format of the file's ending: `.html`, `.json`, `.collapsed`, `.hprof` or `.txt`.
///
/// Instrumentation never changes what a class does; a class that cannot be instrumented is left as
/// it is, and named with the reason on the standard error stream. While no profile runs, a call
/// costs about a nanosecond more.
public final class Agent {
    private Agent() {}

    /// Called by the JVM before the program's `main`.
    public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
        AgentOptions options = AgentOptions.parse(arguments);
        ProbeTransformer transformer =
                new ProbeTransformer(options, instrumentation, Agent::complain);
        instrumentation.addTransformer(transformer, true);
        transformLoaded(instrumentation);
        Path report = options.report();
        if (report != null) {
            Profile profile = Profile.start(ProfileOptions.everything());
            Runtime.getRuntime().addShutdownHook(new Thread(() -> write(profile, report)));
        }
    }

    private static void transformLoaded(Instrumentation instrumentation) {
        for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
            if (ProbeTransformer.concerns(loaded.getClassLoader(), loaded.getName())
                    && !loaded.isArray()
                    && instrumentation.isModifiableClass(loaded)) {
                try {
                    instrumentation.retransformClasses(loaded);
                } catch (UnmodifiableClassException | LinkageError e) {
                    complain("No probes in " + loaded.getName() + ": " + e);
                }
            }
        }
    }

    private static void write(Profile profile, Path file) {
        try {
            Report.byName(file, "Profile of " + file.getFileName()).write(profile.stop(), file);
        } catch (IOException e) {
            complain("No report: " + e);
        }
    }

    private static void complain(String message) {
        System.err.println("oriel-profiler: " + message);
    }
}

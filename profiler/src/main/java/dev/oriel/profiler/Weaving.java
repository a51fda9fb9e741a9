package dev.oriel.profiler;

import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Puts probes into a running program and takes them out again, if the [Agent] is present. Code without a probe
/// costs nothing. Classes change at their next calls; calls that are open end as they began.
///
/// Thread-safe: changes happen one after another.
public final class Weaving {
    private static final Object LOCK = new Object();

    /// Guarded by the lock, as is the transformer.
    private static @Nullable Instrumentation instrumentation;

    private static @Nullable ProbeTransformer transformer;

    private Weaving() {}

    /// Whether the agent is present.
    public static boolean isAvailable() {
        synchronized (LOCK) {
            return transformer != null;
        }
    }

    /// Adds probes to the watched methods, and to methods that match a pattern of `include` and none of `exclude`;
    /// removes them from all others. Patterns have the form of the [Agent]'s, separated by commas.
    ///
    /// @throws IllegalArgumentException if a pattern is invalid
    /// @throws IllegalStateException without the agent
    public static void include(String include, String exclude) {
        AgentOptions options =
                new AgentOptions(
                        MethodPattern.parseList(include), MethodPattern.parseList(exclude), null);
        change(options);
    }

    /// Takes all probes out, also from watched methods.
    ///
    /// @throws IllegalStateException without the agent
    public static void off() {
        change(null);
    }

    /// Number of classes that have probes now.
    public static int classes() {
        synchronized (LOCK) {
            return transformer == null ? 0 : transformer.wovenClasses();
        }
    }

    /// Takes the probes out of some methods, given as `class.method`, until the next change or [#restore]. Does
    /// nothing without the agent.
    static void leaveOut(Set<String> methods) {
        synchronized (LOCK) {
            ProbeTransformer by = transformer;
            if (by != null) {
                Set<String> classes = by.leaveOut(methods);
                weaveLoaded(classes::contains);
            }
        }
    }

    /// Gives the probes back to the methods that were left out.
    static void restore() {
        synchronized (LOCK) {
            ProbeTransformer by = transformer;
            if (by != null) {
                Set<String> classes = by.restore();
                if (!classes.isEmpty()) {
                    weaveLoaded(classes::contains);
                }
            }
        }
    }

    static void install(Instrumentation with, ProbeTransformer by) {
        synchronized (LOCK) {
            instrumentation = with;
            transformer = by;
        }
    }

    private static void change(@Nullable AgentOptions options) {
        synchronized (LOCK) {
            ProbeTransformer by = transformer;
            if (by == null) {
                throw new IllegalStateException(
                        "The profiler's agent is not present: start the JVM with"
                                + " -javaagent:oriel-profiler.jar to put probes into classes");
            }
            boolean wereOff = by.isOff();
            List<String> before = by.wovenNames();
            by.use(options);
            // Watched methods may be in any class; when they come back, every class is checked.
            weaveLoaded(name -> wereOff || before.contains(name) || by.concernsNow(name));
        }
    }

    /// Retransforms the loaded classes.
    static void weaveLoaded(Predicate<String> which) {
        synchronized (LOCK) {
            Instrumentation with = instrumentation;
            if (with == null) {
                return;
            }
            for (Class<?> loaded : with.getAllLoadedClasses()) {
                if (ProbeTransformer.concerns(loaded.getClassLoader(), loaded.getName())
                        && which.test(loaded.getName())
                        && !loaded.isArray()
                        && !loaded.isHidden()
                        && with.isModifiableClass(loaded)) {
                    try {
                        with.retransformClasses(loaded);
                    } catch (UnmodifiableClassException | LinkageError e) {
                        Agent.complain("No probes in " + loaded.getName() + ": " + e);
                    }
                }
            }
        }
    }
}

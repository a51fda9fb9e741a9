package dev.oriel.profiler;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Takes samples until it is stopped. The only way from a profile to the Flight Recorder, so that
/// everything else works in a JVM without it.
interface Sampler {
    /// The sampler that takes none.
    Sampler NONE = (startedAt, wallNanos, notes) -> List.of();

    /// Stops, and returns the samples from `startedAt` on and for `wallNanos`, in order of time. Adds errors to
    /// `notes`.
    List<Sample> stop(Instant startedAt, long wallNanos, List<String> notes);

    /// Starts the sampling that the options ask for, as far as this JVM can do it; missing abilities are added to
    /// `notes`.
    static Sampler start(ProfileOptions options, List<String> notes) {
        if (options.samples().isEmpty()) {
            return NONE;
        }
        if (options.engine() == ProfileOptions.Engine.ASYNC
                && !Collections.disjoint(options.samples(), AsyncSampler.KINDS)) {
            Sampler async = AsyncSampler.start(options, notes);
            Set<SampleKind> others = new HashSet<>(options.samples());
            others.removeAll(AsyncSampler.KINDS);
            Sampler rest = start(options.withSamples(others), notes);
            return (startedAt, wallNanos, told) -> {
                List<Sample> samples = new ArrayList<>(async.stop(startedAt, wallNanos, told));
                samples.addAll(rest.stop(startedAt, wallNanos, told));
                return samples;
            };
        }
        if (!present("jdk.jfr")) {
            notes.add(
                    "No samples: the module jdk.jfr is not part of this run. Add it with"
                            + " --add-modules jdk.jfr, or to the image if jlink made one.");
            return NONE;
        }
        return JfrSampler.start(options, notes);
    }

    /// Whether a module of the JDK is available.
    static boolean present(String module) {
        return ModuleLayer.boot().findModule(module).isPresent();
    }
}

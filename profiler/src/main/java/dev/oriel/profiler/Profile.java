package dev.oriel.profiler;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A profile that runs: from [#start(ProfileOptions)] to [#stop()]. One at a time in a JVM.
///
/// ```java
/// Profile profile = Profile.start(ProfileOptions.everything());
/// ...
/// ProfileResult result = profile.stop();
/// new HtmlReport("Nightly load").write(result, Path.of("load.html"));
/// ```
/// Any thread may stop a profile, and any number of times: the result is the same.
public final class Profile implements AutoCloseable {
    private static final Object LOCK = new Object();

    /// Guarded by the lock, as is each profile's result.
    private static @Nullable Profile running;

    private final ProfileOptions options;
    private final List<String> notes = new ArrayList<>();
    private final Sampler sampler;
    private final Session session;
    private final long probePairNanos;
    private final Instant startedAt;
    private final long startNanos;
    private @Nullable ProfileResult result;

    private Profile(ProfileOptions options) {
        this.options = options;
        probePairNanos = Calibration.probePairNanos(options);
        sampler = Sampler.start(options, notes);
        startedAt = Instant.now();
        startNanos = System.nanoTime();
        session = Session.begin(options);
    }

    /// Starts to record. With samples, the first start in a JVM takes some tenths of a second.
    ///
    /// @throws IllegalStateException while another profile runs
    public static Profile start(ProfileOptions options) {
        synchronized (LOCK) {
            if (running != null) {
                throw new IllegalStateException(
                        "A profile is running in this JVM, and there can be only one:"
                                + " stop it before starting another");
            }
            Profile profile = new Profile(options);
            running = profile;
            return profile;
        }
    }

    /// Ends recording and hands over what was recorded. Calls that are open count up to now.
    public ProfileResult stop() {
        synchronized (LOCK) {
            ProfileResult known = result;
            if (known == null) {
                try {
                    known = finish();
                } finally {
                    running = null;
                }
                result = known;
            }
            return known;
        }
    }

    /// Stops, for the profile that nobody asked the result of.
    @Override
    public void close() {
        stop();
    }

    private ProfileResult finish() {
        long now = System.nanoTime();
        Session.end();
        TreeMerge tree = new TreeMerge();
        long open = 0;
        for (Recorder recorder : session.recorders()) {
            open += recorder.depth();
            tree.add(recorder, now);
        }
        List<Sample> samples = sampler.stop(startedAt, now - startNanos, notes);
        // Once more, because by now the JVM has compiled the recorder as well as it can.
        long pairNanos = Math.min(probePairNanos, Calibration.probePairNanos(options));
        return new ProfileResult(
                startedAt, now - startNanos, pairNanos, open, tree.nodes(), samples, notes);
    }
}

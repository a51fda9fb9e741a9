package dev.oriel.profiler;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// CPU samples by async-profiler, if its jar is on the class path: it is looked up by name, never required. Once
/// it has run, the Flight Recorder no longer samples CPU time in this JVM. So the two are never used together.
///
/// It writes a recording in the Flight Recorder's format into a temporary file, so that its samples have a time, a
/// thread and lines. Without the module `jdk.jfr` that file could not be read, and it adds samples up by stack.
final class AsyncSampler implements Sampler {
    /// Kinds of samples that it takes in place of the Flight Recorder.
    static final Set<SampleKind> KINDS = Set.of(SampleKind.CPU, SampleKind.CPU_TIME);

    private static final String CLASS = "one.profiler.AsyncProfiler";

    private final Object profiler;
    private final Method execute;
    private final long everyNanos;
    private final @Nullable Path file;

    private AsyncSampler(Object profiler, Method execute, long everyNanos, @Nullable Path file) {
        this.profiler = profiler;
        this.execute = execute;
        this.everyNanos = everyNanos;
        this.file = file;
    }

    static Sampler start(ProfileOptions options, List<String> notes) {
        try {
            Class<?> type = Class.forName(CLASS, true, loader());
            Object profiler = type.getMethod("getInstance").invoke(null);
            Method execute = type.getMethod("execute", String.class);
            Path file = null;
            String interval = ",interval=" + options.sampleEvery().toMillis() + "ms";
            if (Sampler.present("jdk.jfr")) {
                file = Files.createTempFile("oriel-profile", ".jfr");
                file.toFile().deleteOnExit();
                interval += ",jfr,jstackdepth=" + options.stackDepthMax() + ",file=" + file;
            }
            AsyncSampler sampler =
                    new AsyncSampler(profiler, execute, options.sampleEvery().toNanos(), file);
            try {
                sampler.execute("start,event=cpu" + interval);
            } catch (IOException e) {
                // Without the kernel's permission for perf events it uses a timer of its own.
                sampler.execute("start,event=ctimer" + interval);
            }
            return sampler;
        } catch (ClassNotFoundException e) {
            notes.add(
                    "No CPU samples: async-profiler was asked for and is not on the class path"
                            + " (tools.profiler:async-profiler).");
        } catch (InvocationTargetException e) {
            notes.add("No CPU samples: async-profiler did not load: " + e.getCause());
        } catch (ReflectiveOperationException | IOException e) {
            notes.add("No CPU samples: async-profiler did not start: " + e.getMessage());
        }
        return NONE;
    }

    @Override
    public List<Sample> stop(Instant startedAt, long wallNanos, List<String> notes) {
        try {
            execute("stop");
            if (file == null) {
                String collapsed = execute("collapsed,samples,dot");
                BufferedReader lines = new BufferedReader(new StringReader(collapsed));
                return CollapsedReader.samples(lines, SampleKind.CPU_TIME, everyNanos);
            }
            List<Sample> samples = new ArrayList<>();
            for (Sample sample : JfrReader.read(file, startedAt, wallNanos, notes)) {
                if (sample.kind() == SampleKind.CPU) {
                    samples.add(
                            new Sample(
                                    SampleKind.CPU_TIME,
                                    sample.atNanos(),
                                    sample.thread(),
                                    sample.stack(),
                                    everyNanos));
                }
            }
            Files.deleteIfExists(file);
            return samples;
        } catch (IOException e) {
            notes.add("No CPU samples: async-profiler did not hand them over: " + e.getMessage());
            return List.of();
        }
    }

    private String execute(String command) throws IOException {
        try {
            return String.valueOf(execute.invoke(profiler, command));
        } catch (InvocationTargetException e) {
            throw new IOException(String.valueOf(e.getCause()), e);
        } catch (IllegalAccessException e) {
            throw new IOException(e.toString(), e);
        }
    }

    private static ClassLoader loader() {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        return context == null ? ClassLoader.getSystemClassLoader() : context;
    }
}

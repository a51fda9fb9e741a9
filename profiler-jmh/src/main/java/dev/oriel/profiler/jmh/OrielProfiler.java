package dev.oriel.profiler.jmh;

import dev.oriel.profiler.AgentJar;
import dev.oriel.profiler.Profile;
import dev.oriel.profiler.ProfileOptions;
import dev.oriel.profiler.ProfileResult;
import dev.oriel.profiler.SampleKind;
import dev.oriel.profiler.TreeOptions;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.ExternalProfiler;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.profile.ProfilerException;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.runner.IterationType;

/// The cost of each method per operation of a benchmark, as secondary results of JMH.
///
/// ```
/// java -jar benchmarks.jar -prof 'dev.oriel.profiler.jmh.OrielProfiler:include=com.acme.**'
/// ```
/// | result | unit | meaning |
/// |---|---|---|
/// | `oriel.time.METHOD` | ns/op | exact wall time in the method without its callees |
/// | `oriel.total.METHOD` | ns/op | the same with its callees |
/// | `oriel.calls.METHOD` | calls/op | exact |
/// | `oriel.cpu.METHOD` | ns/op | processor time in the method, by samples |
/// | `oriel.bytes.METHOD` | B/op | heap bytes that the method allocated; by samples if the tree does not say |
///
/// Options follow a colon, separated by `;`: `include` and `exclude` are patterns of methods to record exactly, as
/// the agent takes them. `samples=true` samples too, which is the default without `include`. `top` is the greatest
/// number of methods that become results of each kind (20). Recording costs some tens of nanoseconds a call, and
/// the primary result includes the probes: exact trees show the distribution of the time, not its least amount.
///
/// JMH creates one object in its own JVM, to add the agent to the fork's options, and one in each fork, to record the
/// measurement iterations. Needs Java 25 and at least one fork.
public final class OrielProfiler implements InternalProfiler, ExternalProfiler {
    private final JmhOptions options;
    private @Nullable Profile running;

    /// Without options: samples.
    public OrielProfiler() throws ProfilerException {
        this("");
    }

    /// @param line the options
    public OrielProfiler(String line) throws ProfilerException {
        options = JmhOptions.parse(line);
    }

    @Override
    public String getDescription() {
        return "Oriel: ns/op, B/op and calls/op of each method";
    }

    @Override
    public Collection<String> addJVMInvokeOptions(BenchmarkParams params) {
        return List.of();
    }

    @Override
    public Collection<String> addJVMOptions(BenchmarkParams params) {
        if (options.include().isEmpty()) {
            return List.of();
        }
        try {
            Path folder = Files.createTempDirectory("oriel-jmh");
            folder.toFile().deleteOnExit();
            Path jar = AgentJar.in(folder);
            if (jar.startsWith(folder.toAbsolutePath())) {
                new File(jar.toString()).deleteOnExit();
            }
            return List.of("-javaagent:" + jar + "=" + options.agentArguments());
        } catch (IOException e) {
            throw new IllegalStateException("The profiler's jar cannot be given to the fork", e);
        }
    }

    @Override
    public void beforeTrial(BenchmarkParams params) {}

    @Override
    public Collection<? extends Result<?>> afterTrial(
            BenchmarkResult result, long pid, File stdOut, File stdErr) {
        return List.of();
    }

    @Override
    public boolean allowPrintOut() {
        return true;
    }

    @Override
    public boolean allowPrintErr() {
        return true;
    }

    @Override
    public void beforeIteration(BenchmarkParams params, IterationParams iteration) {
        if (iteration.getType() == IterationType.MEASUREMENT) {
            ProfileOptions exact =
                    ProfileOptions.exactOnly()
                            .withTree(
                                    TreeOptions.USUAL.withAllocation(!options.include().isEmpty()));
            running =
                    Profile.start(
                            options.samples()
                                    ? exact.withSamples(
                                            Set.of(SampleKind.CPU, SampleKind.ALLOCATION))
                                    : exact);
        }
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams params, IterationParams iteration, IterationResult result) {
        Profile profile = running;
        if (profile == null) {
            return List.of();
        }
        running = null;
        ProfileResult run = profile.stop();
        long operations = result.getMetadata().getAllOps();
        return operations == 0 ? List.of() : new MethodResults(run, operations).of(options);
    }
}

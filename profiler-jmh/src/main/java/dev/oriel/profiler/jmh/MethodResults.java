package dev.oriel.profiler.jmh;

import dev.oriel.profiler.CallNode;
import dev.oriel.profiler.ProfileResult;
import dev.oriel.profiler.Sample;
import dev.oriel.profiler.SampleKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/// Makes results from the recording of one iteration. Confined to one thread.
final class MethodResults {
    private final ProfileResult run;
    private final double operations;
    private final Map<String, Method> methods = new HashMap<>();

    /// The costs of a method in the iteration.
    private static final class Method {
        final String name;
        double calls;
        double self;
        double total;
        double bytes;
        double cpu;
        int open;

        Method(String name) {
            this.name = name;
        }
    }

    MethodResults(ProfileResult run, long operations) {
        this.run = run;
        this.operations = operations;
    }

    Collection<Result<?>> of(JmhOptions options) {
        run.roots().forEach(this::add);
        boolean exactBytes = methods.values().stream().anyMatch(method -> method.bytes > 0);
        List<Result<?>> results = new ArrayList<>();
        for (Method method : top(Comparator.comparingDouble(m -> m.self), options.top())) {
            add(results, "time", method, method.self, "ns/op");
            add(results, "total", method, method.total, "ns/op");
            add(results, "calls", method, method.calls, "calls/op");
        }
        if (options.samples()) {
            sample(SampleKind.CPU, run.totals().cpuNanos());
            if (!exactBytes) {
                sample(SampleKind.ALLOCATION, run.totals().allocatedBytes());
            }
        }
        for (Method method : top(Comparator.comparingDouble(m -> m.cpu), options.top())) {
            add(results, "cpu", method, method.cpu, "ns/op");
        }
        for (Method method : top(Comparator.comparingDouble(m -> m.bytes), options.top())) {
            add(results, "bytes", method, method.bytes, "B/op");
        }
        return results;
    }

    /// The most expensive methods, without the ones whose cost is zero.
    private List<Method> top(Comparator<Method> by, int most) {
        Method nothing = new Method("");
        return methods.values().stream()
                .filter(method -> by.compare(method, nothing) > 0)
                .sorted(by.reversed())
                .limit(most)
                .toList();
    }

    private void add(
            List<Result<?>> results, String kind, Method method, double value, String unit) {
        String label = "oriel." + kind + "." + method.name;
        results.add(new ScalarResult(label, value / operations, unit, AggregationPolicy.AVG));
    }

    private double add(CallNode call) {
        Method method = method(call.name());
        method.calls += call.calls();
        double self = call.netNanos(run.cost());
        method.self += self;
        method.bytes += call.detail().allocatedBytes();
        method.open++;
        double total = self;
        for (CallNode child : call.children()) {
            total += add(child);
        }
        method.open--;
        method.total += method.open == 0 ? total : 0;
        return total;
    }

    /// Adds the methods' shares in samples of one kind, scaled to the whole use of the process.
    private void sample(SampleKind kind, long whole) {
        List<Sample> samples = run.samples(kind);
        double weights = run.weight(kind);
        for (Sample sample : samples) {
            if (whole > 0 && !sample.stack().isEmpty()) {
                double cost = whole * sample.weight() / weights;
                Method method = method(sample.stack().getFirst().name());
                if (kind == SampleKind.CPU) {
                    method.cpu += cost;
                } else {
                    method.bytes += cost;
                }
            }
        }
    }

    private Method method(String name) {
        return methods.computeIfAbsent(name, Method::new);
    }
}

package dev.oriel.profiler;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Sums of a profile's waits by kind: of all threads, and of those within recorded calls. Without recorded calls
/// there are only sums of all. A wait without a stack counts as one within calls. Not thread-safe.
final class WaitTimes {
    /// Name of the fact with the methods whose probes have another name: `class.method=name`, with blanks between. A
    /// blank in a name is written as `%20`, a percent sign as `%25`, and an equals sign as `%3D`.
    static final String RENAMED = "renamed";

    private final Map<WaitKind, Long> all = new EnumMap<>(WaitKind.class);
    private final Map<WaitKind, Long> within = new EnumMap<>(WaitKind.class);
    private final Set<String> recorded = new HashSet<>();
    private long outsideForces;
    private long outsideFiles;
    private long outsideSockets;
    private boolean served;

    private WaitTimes() {}

    static WaitTimes of(ProfileResult result) {
        WaitTimes times = new WaitTimes();
        result.roots().forEach(times::addNames);
        Map<String, String> renamed = renamed(result.facts().getOrDefault(RENAMED, ""));
        Waits waits = Waits.of(result);
        for (Sample sample : result.samples()) {
            WaitKind kind = waits.of(sample);
            if (kind != WaitKind.NONE) {
                times.add(sample, kind, times.isWithin(sample, renamed));
            }
        }
        times.served = waits.selects() || times.all(WaitKind.CLIENT) > 0;
        return times;
    }

    /// Names by methods as a fact.
    static String written(Map<String, String> renamed) {
        return renamed.entrySet().stream()
                .map(each -> escaped(each.getKey()) + "=" + escaped(each.getValue()))
                .collect(Collectors.joining(" "));
    }

    /// Reverse of [#written].
    static Map<String, String> renamed(String written) {
        Map<String, String> renamed = new HashMap<>();
        for (String pair : written.split(" ", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                renamed.put(plain(pair.substring(0, equals)), plain(pair.substring(equals + 1)));
            }
        }
        return renamed;
    }

    private static String escaped(String name) {
        return name.replace("%", "%25").replace(" ", "%20").replace("=", "%3D");
    }

    private static String plain(String escaped) {
        return escaped.replace("%3D", "=").replace("%20", " ").replace("%25", "%");
    }

    private void addNames(CallNode node) {
        recorded.add(node.name());
        node.children().forEach(this::addNames);
    }

    private boolean isWithin(Sample sample, Map<String, String> renamed) {
        return sample.stack().isEmpty()
                || sample.stack().stream()
                        .map(frame -> frame.name())
                        .anyMatch(name -> recorded.contains(renamed.getOrDefault(name, name)));
    }

    private void add(Sample sample, WaitKind kind, boolean inCall) {
        long nanos = sample.weight();
        all.merge(kind, nanos, Math::addExact);
        if (inCall) {
            within.merge(kind, nanos, Math::addExact);
        } else if (kind == WaitKind.SYNC) {
            outsideForces = Math.addExact(outsideForces, nanos);
        } else if (kind == WaitKind.IO) {
            boolean file =
                    sample.kind() == SampleKind.FILE_READ || sample.kind() == SampleKind.FILE_WRITE;
            if (file) {
                outsideFiles = Math.addExact(outsideFiles, nanos);
            } else {
                outsideSockets = Math.addExact(outsideSockets, nanos);
            }
        }
    }

    Map<WaitKind, Long> all() {
        return all;
    }

    Map<WaitKind, Long> within() {
        return within;
    }

    long all(WaitKind kind) {
        return all.getOrDefault(kind, 0L);
    }

    long within(WaitKind kind) {
        return within.getOrDefault(kind, 0L);
    }

    /// Time in which threads outside of recorded calls forced files.
    long outsideForces() {
        return outsideForces;
    }

    /// Time in which threads outside of recorded calls read and wrote files.
    long outsideFiles() {
        return outsideFiles;
    }

    /// Time in which threads outside of recorded calls wrote sockets, and waited for servers.
    long outsideSockets() {
        return outsideSockets;
    }

    /// Whether a thread was seen waiting for requests.
    boolean served() {
        return served;
    }
}

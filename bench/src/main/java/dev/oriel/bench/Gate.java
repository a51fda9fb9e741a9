package dev.oriel.bench;

import dev.oriel.compare.Change;
import dev.oriel.compare.Statistics;
import dev.oriel.compare.Verdict;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// The small cases of two builds of Oriel, pair by pair.
final class Gate {
    /// At most this share of the cases named slower are expected to be named wrongly.
    private static final double FALSE_DISCOVERIES = 0.05;

    /// Every so many pairs, the revision runs once more, against itself.
    private static final int GUARD_EVERY = 3;

    private record Part(Workload workload, Scenario scenario, Subject subject) {}

    private record Key(String caseName, String subject) {}

    /// The costs of one case: lower is better.
    private static final class Costs {
        final List<Double> former = new ArrayList<>();
        final List<Double> now = new ArrayList<>();
        final List<Double> once = new ArrayList<>();
        final List<Double> again = new ArrayList<>();

        Change change() {
            return Change.of(array(former), array(now), array(once), array(again));
        }
    }

    private final Options options;
    private final String formerClassPath;
    private final Progress progress;
    private final List<Part> parts = new ArrayList<>();
    private final Map<Key, Costs> costs = new LinkedHashMap<>();
    private final long start = System.nanoTime();

    Gate(Options options, String formerClassPath, Progress progress) {
        this.options = options;
        this.formerClassPath = formerClassPath;
        this.progress = progress;
        Catalog catalog = new Catalog();
        Pattern cases = Pattern.compile(options.cases());
        List<Subject> ours =
                catalog.subjects().stream().filter(one -> one.name().startsWith("oriel")).toList();
        for (Workload workload : catalog.workloads()) {
            for (Scenario scenario : workload.scenarios(Scale.QUICK, ours)) {
                if (scenario.cases().stream().anyMatch(cases.asPredicate())) {
                    ours.stream()
                            .filter(one -> scenario.subjects().contains(one.name()))
                            .forEach(one -> parts.add(new Part(workload, scenario, one)));
                }
            }
        }
    }

    boolean isEmpty() {
        return parts.isEmpty();
    }

    void run() throws IOException, InterruptedException, Stop {
        for (int pair = 0; pair < options.roundsMin(); pair++) {
            for (int i = 0; i < parts.size(); i++) {
                Part part = parts.get(i);
                String label =
                        "pair %d of %d: %s, %s"
                                .formatted(
                                        pair + 1,
                                        options.roundsMin(),
                                        part.workload.name() + "/" + part.scenario.name(),
                                        part.subject.name());
                Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
                progress.show(label, "", elapsed, expected(), parts.size() - i);
                pair(part, pair);
            }
        }
        progress.done();
    }

    private Duration expected() {
        return parts.stream()
                .map(part -> part.scenario.expected().multipliedBy(2L * options.roundsMin()))
                .reduce(Duration.ZERO, Duration::plus);
    }

    private void pair(Part part, int number) throws IOException, InterruptedException, Stop {
        String current = System.getProperty("java.class.path");
        boolean formerFirst = number % 2 == 0;
        Map<String, Double> first = measure(part, formerFirst ? formerClassPath : current);
        Map<String, Double> second = measure(part, formerFirst ? current : formerClassPath);
        Map<String, Double> former = formerFirst ? first : second;
        Map<String, Double> now = formerFirst ? second : first;
        Map<String, Double> again =
                number % GUARD_EVERY == 0 ? measure(part, formerClassPath) : Map.of();
        former.forEach((name, cost) -> {
            Double other = now.get(name);
            if (other == null) {
                return; // a case that is gone
            }
            Costs all = costs.computeIfAbsent(new Key(name, part.subject.name()), _ -> new Costs());
            all.former.add(cost);
            all.now.add(other);
            Double guard = again.get(name);
            if (guard != null) {
                all.once.add(cost);
                all.again.add(guard);
            }
        });
    }

    /// The cost of each main figure.
    private Map<String, Double> measure(Part part, String classPath)
            throws IOException, InterruptedException, Stop {
        Forked forked =
                Forked.run(
                        classPath,
                        options,
                        part.workload,
                        part.scenario,
                        part.subject,
                        phase -> {});
        if (forked.failure() != null) {
            throw new Stop(
                    "%s/%s failed for %s on %s: %s"
                            .formatted(
                                    part.workload.name(),
                                    part.scenario.name(),
                                    part.subject.name(),
                                    classPath.equals(formerClassPath) ? "the revision" : "the tree",
                                    forked.failure()));
        }
        Pattern cases = Pattern.compile(options.cases());
        Map<String, Double> found = new LinkedHashMap<>();
        for (Measurement one : forked.measurements()) {
            if (!cases.matcher(one.caseName()).find()) {
                continue;
            }
            if (one.metric().equals("rate")) {
                found.put(one.caseName(), 1 / one.value());
            } else if (one.metric().equals("time")) {
                found.put(one.caseName(), one.value());
            }
        }
        return found;
    }

    /// Whether no case is significantly slower.
    boolean passed() {
        return slower().isEmpty();
    }

    private List<Key> slower() {
        List<Key> keys = List.copyOf(costs.keySet());
        List<Change> changes = keys.stream().map(key -> change(key)).toList();
        boolean[] significant =
                Statistics.significant(
                        changes.stream().mapToDouble(Change::pValue).toArray(), FALSE_DISCOVERIES);
        List<Key> slower = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            if (significant[i] && changes.get(i).verdict() == Verdict.SLOWER) {
                slower.add(keys.get(i));
            }
        }
        return slower;
    }

    private Change change(Key key) {
        Costs all = costs.get(key);
        if (all == null) {
            throw new IllegalArgumentException("Not measured: " + key);
        }
        return all.change();
    }

    /// What changed, a line each.
    String table(String former) {
        List<Key> slower = slower();
        StringBuilder text = new StringBuilder();
        text.append("Cost of the working tree over that of ").append(former).append('\n');
        costs.forEach((key, all) -> {
            Change change = all.change();
            String verdict =
                    slower.contains(key)
                            ? "SLOWER"
                            : switch (change.verdict()) {
                                case SLOWER -> "slower, not beyond chance among so many";
                                case FASTER -> "faster";
                                case SAME -> "same";
                                case NEW -> "new";
                                case GONE -> "gone";
                                case UNKNOWN ->
                                        "cannot tell; %d more pairs for +-5 %%"
                                                .formatted(change.morePairs(0.05));
                            };
            text.append(
                    "  %-50s %-14s %.3f [%.3f, %.3f]  %s%s%n"
                            .formatted(
                                    key.caseName(),
                                    key.subject(),
                                    change.ratio().value(),
                                    change.ratio().low(),
                                    change.ratio().high(),
                                    verdict,
                                    change.noisy() ? " (noisy machine)" : ""));
        });
        text.append(
                slower.isEmpty()
                        ? "No case is significantly slower.\n"
                        : slower.size() + " of " + costs.size() + " cases are slower.\n");
        return text.toString();
    }

    private static double[] array(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }
}

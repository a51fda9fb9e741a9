package dev.oriel.bench.gate;

import dev.oriel.bench.Catalog;
import dev.oriel.bench.Measurement;
import dev.oriel.bench.Scale;
import dev.oriel.bench.Scenario;
import dev.oriel.bench.Subject;
import dev.oriel.bench.Workload;
import dev.oriel.bench.run.Forked;
import dev.oriel.bench.run.Options;
import dev.oriel.bench.run.Progress;
import dev.oriel.bench.run.UserError;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The small cases of two builds of Oriel, pair by pair until there are enough, or the time is up and there are
/// [#PAIRS_MIN].
public final class Gate {
    /// A regular expression for the small cases of each workload.
    public static final String SMALL =
            "^(axion/(open-ended|limit)/both/warm|jdbm/(insert|get|scan)/.*/written|voron/article)";

    /// Number of pairs after which the revision runs once more, against itself.
    private static final int GUARD_EVERY = 3;

    /// Least number of pairs: with fewer, only changes by a factor would stand out.
    static final int PAIRS_MIN = 3;

    /// Error of a revision's worker for a part that it does not know.
    private static final Pattern UNKNOWN = Pattern.compile("No (workload|scenario|subject) ");

    private record Part(Workload workload, Scenario scenario, Subject subject) {
        String label() {
            return workload.name() + "/" + scenario.name() + ", " + subject.name();
        }
    }

    private final Options options;
    private final String formerClassPath;
    private final Progress progress;
    private final List<Part> parts = new ArrayList<>();
    private final GateCosts costs = new GateCosts();
    private final long start = System.nanoTime();

    /// @param formerClassPath class path of the revision
    public Gate(Options options, String formerClassPath, Progress progress) {
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
                            .filter(workload::takes) // subjects of other kinds may have the same
                            // name
                            .filter(one -> scenario.subjects().contains(one.name()))
                            .forEach(one -> parts.add(new Part(workload, scenario, one)));
                }
            }
        }
    }

    /// Whether no case is wanted.
    public boolean isEmpty() {
        return parts.isEmpty();
    }

    /// Names of the parts run for each pair.
    List<String> labels() {
        return parts.stream().map(Part::label).toList();
    }

    /// The costs measured.
    public GateCosts costs() {
        return costs;
    }

    /// Runs pairs until there are enough or the time is up.
    public void run() throws IOException, InterruptedException, UserError {
        for (int pair = 0; pair < options.roundsMin() && isWanted(pair); pair++) {
            List<Part> former = List.copyOf(parts);
            for (int i = 0; i < former.size(); i++) {
                Part part = former.get(i);
                String label =
                        "pair %d of %d: %s".formatted(pair + 1, options.roundsMin(), part.label());
                progress.show(label, "", elapsed(), options.budget(), left(pair, i, former));
                if (!pair(part, pair)) {
                    parts.remove(part);
                    progress.line(part.label() + " is new: the revision does not have it.");
                }
            }
        }
        progress.done();
    }

    private Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    /// Whether another pair of all parts fits into the time, if it takes as long as the pairs so far.
    private boolean isWanted(int done) {
        return done < PAIRS_MIN
                || elapsed().multipliedBy(done + 1).dividedBy(done).compareTo(options.budget()) < 0;
    }

    /// The rest of a pair that consists of `all` and is at number `at`.
    private Progress.Left left(int done, int at, List<Part> all) {
        double pairs = done + (double) at / all.size();
        Duration each =
                pairs > 0
                        ? Duration.ofNanos((long) (elapsed().toNanos() / pairs))
                        : all.stream()
                                .map(part -> part.scenario.expected().multipliedBy(2))
                                .reduce(Duration.ZERO, Duration::plus);
        int count = all.size() - at;
        return new Progress.Left(count, each.multipliedBy(count).dividedBy(all.size()));
    }

    /// Runs a pair; false if the revision does not know the part.
    private boolean pair(Part part, int number)
            throws IOException, InterruptedException, UserError {
        String current = System.getProperty("java.class.path");
        boolean formerFirst = number % 2 == 0;
        Map<String, Double> first = measure(part, formerFirst ? formerClassPath : current);
        if (first == null) {
            return false;
        }
        Map<String, Double> second = measure(part, formerFirst ? current : formerClassPath);
        Map<String, Double> again =
                number % GUARD_EVERY == 0 ? measure(part, formerClassPath) : Map.of();
        if (second == null || again == null) {
            return false;
        }
        Map<String, Double> former = formerFirst ? first : second;
        Map<String, Double> now = formerFirst ? second : first;
        former.forEach((name, cost) -> {
            Double other = now.get(name);
            if (other == null) {
                return; // a case that was removed
            }
            costs.pair(name, part.subject.name(), cost, other);
            Double guard = again.get(name);
            if (guard != null) {
                costs.guard(name, part.subject.name(), cost, guard);
            }
        });
        return true;
    }

    /// The cost of each main figure; null if the revision does not know the part.
    private @Nullable Map<String, Double> measure(Part part, String classPath)
            throws IOException, InterruptedException, UserError {
        Forked forked =
                Forked.run(
                        classPath,
                        options,
                        part.workload,
                        part.scenario,
                        part.subject,
                        part.scenario.most(),
                        phase -> {});
        boolean former = classPath.equals(formerClassPath);
        String failure = forked.failure();
        if (failure != null) {
            if (former && UNKNOWN.matcher(failure).find()) {
                return null;
            }
            throw new UserError(
                    "%s failed on %s: %s"
                            .formatted(
                                    part.label(), former ? "the revision" : "the tree", failure));
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
}

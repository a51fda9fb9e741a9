package dev.oriel.compare;

import dev.oriel.compare.fixture.Shop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Finds out whether comparisons are to be believed, with changes of known size. `scripts/compare-proof`
/// runs it.
///
/// ```
/// record KIND FILE ROUNDS          append runs of every program, in turns
/// resample KIND FILE PAIRS SEED    draw comparisons from recorded runs, and count
/// forecast FILE PAIRS SEED         ask 8 pairs how many are needed, and see whether as many do
/// changes PAIRS [same] [NAME...]   compare programs of [KnownChanges] with their changes, or with themselves
/// real KIND COMPARISONS FIRST      compare in fresh JVMs, beginning with case FIRST
/// ```
/// A kind is `delays` or `allocations`.
final class Proof {
    /// How long a run of a known change lasts.
    private static final Duration CHANGED_RUN = Duration.ofMillis(1_500);

    /// How long things last. What is allocated varies little; times on a busy machine do.
    ///
    /// @param cases drawn from recorded runs
    /// @param real for comparisons in fresh JVMs
    /// @param pairs of those
    /// @param millis that a run lasts
    /// @param warmup of these
    /// @param samples whether processor time is sampled too
    /// @param allocates whether the programs allocate
    private record Kind(
            List<ProofCase> cases,
            List<ProofCase> real,
            int pairs,
            int millis,
            Duration warmup,
            boolean samples,
            boolean allocates) {
        static Kind of(String word) {
            return switch (word) {
                case "delays" ->
                        new Kind(
                                ProofCase.ALL,
                                ProofCase.GREAT,
                                10,
                                3_000,
                                Duration.ofMillis(500),
                                false,
                                false);
                case "allocations" ->
                        new Kind(
                                ProofCase.ALLOCATIONS,
                                ProofCase.ALLOCATIONS,
                                8,
                                350,
                                Duration.ofMillis(100),
                                false,
                                true);
                default -> throw new IllegalArgumentException(word);
            };
        }

        Program program(String name) {
            return ProofCase.program(name, millis, allocates);
        }
    }

    private Proof() {}

    public static void main(String[] words)
            throws IOException, InterruptedException, CompareFailure {
        switch (words[0]) {
            case "record" ->
                    record(Kind.of(words[1]), Path.of(words[2]), Integer.parseInt(words[3]));
            case "resample" ->
                    System.out.println(
                            new Resampling(
                                            Files.readAllLines(Path.of(words[2])),
                                            Kind.of(words[1]).cases,
                                            Integer.parseInt(words[3]))
                                    .run(Long.parseLong(words[4])));
            case "forecast" ->
                    System.out.println(
                            new Resampling(
                                            Files.readAllLines(Path.of(words[1])),
                                            ProofCase.ALL,
                                            Integer.parseInt(words[2]))
                                    .forecast(Long.parseLong(words[3])));
            case "changes" ->
                    changes(Integer.parseInt(words[1]), List.of(words).subList(2, words.length));
            case "real" ->
                    real(Kind.of(words[1]), Integer.parseInt(words[2]), Integer.parseInt(words[3]));
            default -> throw new IllegalArgumentException(words[0]);
        }
    }

    /// Makes each known change, or compares each program with itself, and scores the answers. The last lines are a
    /// table of them.
    private static void changes(int pairs, List<String> options)
            throws IOException, InterruptedException, CompareFailure {
        boolean same = options.contains("same");
        List<String> rows = new ArrayList<>();
        for (KnownChange each : KnownChanges.ALL) {
            String name = each.program().getSimpleName();
            if (options.size() > (same ? 1 : 0) && !options.contains(name)) {
                continue;
            }
            Comparison comparison =
                    each.lasting(CHANGED_RUN).compare(same).withPairs(pairs).run(line -> {});
            KnownChange.Score score = each.score(comparison);
            String row = row(each, comparison, score);
            rows.add(row);
            System.out.printf("%s%n%s%n", row, new ComparisonText("a", "b").of(comparison));
            System.out.flush();
        }
        System.out.println(
                """
                | kind | changed method | an operation | named first | innocents | pairs | load |
                |---|---|---|---|---|---|---|\
                """);
        rows.forEach(System.out::println);
    }

    static String row(KnownChange change, Comparison comparison, KnownChange.Score score)
            throws IOException {
        String innocents =
                score.innocent().stream()
                        .map(name ->
                                name.substring(
                                        name.lastIndexOf('.', name.lastIndexOf('.') - 1) + 1))
                        .collect(Collectors.joining(" "));
        return "| %s | `%s.%s` | %s | %s | %s | %d | %s |"
                .formatted(
                        change.kind(),
                        change.program().getSimpleName(),
                        change.method(),
                        new Summary(comparison)
                                .headline()
                                .replace("an operation ", "")
                                .replaceAll(" \\(.*", ""),
                        score.first() ? "yes" : score.cause().isEmpty() ? "none" : "**no**",
                        innocents.isEmpty() ? "-" : innocents,
                        comparison.pairs(),
                        load());
    }

    /// The mean number of threads that ran or wanted to run in the last minute.
    private static String load() throws IOException {
        Path file = Path.of("/proc/loadavg");
        return Files.exists(file) ? Files.readString(file).split(" ", 2)[0] : "?";
    }

    private static void record(Kind kind, Path file, int rounds)
            throws IOException, InterruptedException, CompareFailure {
        List<String> before = Files.exists(file) ? Files.readAllLines(file) : List.of();
        int from = before.isEmpty() ? 0 : ProofRun.parse(before.getLast()).round() + 1;
        ProfiledRun runs =
                new ProfiledRun(compare(kind, "same-1"), Files.createTempDirectory("oriel-proof"));
        Interleaving<String> order = new Interleaving<>(ProofCase.programs(kind.cases), from + 17L);
        for (int round = from; round < from + rounds; round++) {
            StringBuilder lines = new StringBuilder();
            for (String name : order.next()) {
                ForkCosts costs = runs.run(kind.program(name));
                lines.append(new ProofRun(round, name, costs).line()).append('\n');
            }
            Files.writeString(file, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
    }

    /// What is seen in the time of calls is seen in sampled processor time too, which other programs of
    /// the machine disturb less: both are judged.
    private static void real(Kind kind, int comparisons, int first)
            throws IOException, InterruptedException, CompareFailure {
        Map<Measure, int[]> tallies = new EnumMap<>(Measure.class);
        for (int i = 0; i < comparisons; i++) {
            ProofCase one = kind.real.get((i + first) % kind.real.size());
            Comparison comparison = compare(kind, one.program()).run(line -> {});
            for (ProofCase by : kind.samples ? List.of(one, one.by(Measure.CPU)) : List.of(one)) {
                ProofCase.Outcome outcome = by.judge(comparison);
                int[] tally = tallies.computeIfAbsent(by.measure(), key -> new int[3]);
                tally[0] += outcome.named() ? 1 : 0;
                tally[1] += outcome.covered() ? 1 : 0;
                tally[2] += outcome.named() && outcome.covered() ? 1 : 0;
                System.out.println(outcome.text());
            }
            System.out.flush();
        }
        tallies.forEach((measure, tally) ->
                System.out.printf(
                        "of %d real comparisons, by %s: %d named, %d intervals hold the truth, %d"
                                + " both%n",
                        comparisons, measure.title(), tally[0], tally[1], tally[2]));
    }

    /// The unchanged program against another.
    private static Compare compare(Kind kind, String other) {
        StringBuilder methods = new StringBuilder();
        for (String method : ProofRun.METHODS) {
            methods.append(methods.isEmpty() ? "" : ",");
            methods.append(Shop.class.getName()).append("::").append(method);
        }
        return Compare.of(kind.program("same-1"), kind.program(other))
                .withMethods(methods.toString())
                .withPer(Shop.class.getName() + "::sell", kind.warmup)
                .withSamples(kind.samples)
                .withPairs(kind.pairs)
                .withDuet();
    }
}

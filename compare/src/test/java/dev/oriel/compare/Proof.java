package dev.oriel.compare;

import dev.oriel.compare.fixture.Shop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;

/// Finds out whether comparisons are to be believed, with changes of known size. `scripts/compare-proof`
/// runs it.
///
/// ```
/// record FILE ROUNDS         append runs of every program, in turns
/// resample FILE PAIRS SEED   draw comparisons from recorded runs, and count
/// real COMPARISONS FIRST     compare in fresh JVMs, beginning with case FIRST
/// ```
final class Proof {
    private static final int REAL_PAIRS = 8;
    private static final int MILLIS = 1_000;
    private static final Duration WARMUP = Duration.ofMillis(300);

    private Proof() {}

    public static void main(String[] words)
            throws IOException, InterruptedException, CompareFailure {
        switch (words[0]) {
            case "record" -> record(Path.of(words[1]), Integer.parseInt(words[2]));
            case "resample" ->
                    System.out.println(
                            new Resampling(
                                            Files.readAllLines(Path.of(words[1])),
                                            Integer.parseInt(words[2]))
                                    .run(Long.parseLong(words[3])));
            case "real" -> real(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
            default -> throw new IllegalArgumentException(words[0]);
        }
    }

    private static void record(Path file, int rounds)
            throws IOException, InterruptedException, CompareFailure {
        List<String> before = Files.exists(file) ? Files.readAllLines(file) : List.of();
        int from = before.isEmpty() ? 0 : ProofRun.parse(before.getLast()).round() + 1;
        ProfiledRun runs =
                new ProfiledRun(compare("same-1"), Files.createTempDirectory("oriel-proof"));
        Interleaving<String> order = new Interleaving<>(ProofCase.programs(), from + 17L);
        for (int round = from; round < from + rounds; round++) {
            StringBuilder lines = new StringBuilder();
            for (String name : order.next()) {
                ForkCosts costs = runs.run(ProofCase.program(name, MILLIS));
                lines.append(new ProofRun(round, name, costs).line()).append('\n');
            }
            Files.writeString(file, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
    }

    private static void real(int comparisons, int first)
            throws IOException, InterruptedException, CompareFailure {
        for (int i = 0; i < comparisons; i++) {
            ProofCase one = ProofCase.GREAT.get((i + first) % ProofCase.GREAT.size());
            ProofCase.Outcome outcome = one.judge(compare(one.program()).run(line -> {}));
            System.out.println("real " + outcome);
        }
    }

    /// The unchanged program against another.
    private static Compare compare(String other) {
        StringBuilder methods = new StringBuilder();
        for (String method : ProofRun.METHODS) {
            methods.append(methods.isEmpty() ? "" : ",");
            methods.append(Shop.class.getName()).append("::").append(method);
        }
        return Compare.of(ProofCase.program("same-1", MILLIS), ProofCase.program(other, MILLIS))
                .withMethods(methods.toString())
                .withPer(Shop.class.getName() + "::sell", WARMUP)
                .withSamples(false)
                .withPairs(REAL_PAIRS);
    }
}

package dev.oriel.compare;

import dev.oriel.compare.ProfiledRun.Taken;
import dev.oriel.profiler.ProbeCost;
import dev.oriel.profiler.ProfileResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Rounds of runs of both programs, all recorded alike: one run of each, and in every third round one more of A.
/// Confined to one thread.
final class Rounds {
    private static final int GUARD_EVERY = 3;

    private final Compare compare;
    private final ProfiledRun runs;
    private final Interleaving<Integer> order;

    /// The runs of A, B and A again in each round.
    private final List<List<@Nullable Taken>> rounds = new ArrayList<>();

    /// The run whose results the others must have.
    private @Nullable Taken first;

    Rounds(Compare compare, ProfiledRun runs) {
        this.compare = compare;
        this.runs = runs;
        order = new Interleaving<>(List.of(0, 1), compare.seed());
    }

    /// Rounds of the same programs with other methods recorded.
    Rounds recorded(ProfiledRun otherwise) {
        Rounds others = new Rounds(compare, otherwise);
        others.first = first;
        return others;
    }

    /// Runs further rounds, until there are `count`.
    ///
    /// @param title of the rounds in messages, which tell the number of all pairs of the comparison
    /// @throws CompareFailure if a run fails or results differ
    void until(int count, String title, Consumer<String> progress)
            throws IOException, InterruptedException, CompareFailure {
        List<Program> programs = List.of(compare.a(), compare.b(), compare.a());
        while (rounds.size() < count) {
            progress.accept("%s %d of %d".formatted(title, rounds.size() + 1, compare.pairs()));
            boolean guard = rounds.size() % GUARD_EVERY == 0;
            List<Integer> sides = new ArrayList<>(order.next());
            if (guard && compare.duet()) {
                sides.add(2);
            }
            List<Taken> taken =
                    compare.duet() ? together(sides, programs) : inTurns(sides, programs);
            @Nullable Taken[] of = new Taken[3];
            for (int i = 0; i < sides.size(); i++) {
                checkResults(taken.get(i));
                of[sides.get(i)] = taken.get(i);
            }
            if (guard && of[2] == null) {
                Taken again = runs.take(compare.a());
                checkResults(again);
                of[2] = again;
            }
            rounds.add(Arrays.asList(of));
        }
    }

    /// The recordings of all runs so far.
    List<ProfileResult> files() {
        List<ProfileResult> files = new ArrayList<>();
        for (List<@Nullable Taken> round : rounds) {
            for (Taken taken : round) {
                files.addAll(taken == null ? List.of() : taken.files());
            }
        }
        return files;
    }

    /// Computes the costs of all runs with one figure for the cost of recording a call, so that a busy machine
    /// cannot shift it for one of them.
    Pairs costs() throws CompareFailure {
        ProbeCost recording = RunCosts.leastCost(files());
        Pairs done = Pairs.inTurns();
        if (!compare.per().isEmpty()) {
            done = done.timedByCalls();
        }
        for (List<@Nullable Taken> round : rounds) {
            done.add(
                    runs.costs(Objects.requireNonNull(round.get(0)), recording),
                    runs.costs(Objects.requireNonNull(round.get(1)), recording));
            Taken again = round.get(2);
            if (again != null) {
                done.guard(runs.costs(again, recording));
            }
        }
        return done;
    }

    private List<Taken> inTurns(List<Integer> sides, List<Program> programs)
            throws IOException, InterruptedException, CompareFailure {
        List<Taken> taken = new ArrayList<>();
        for (int side : sides) {
            taken.add(runs.take(programs.get(side)));
        }
        return taken;
    }

    private List<Taken> together(List<Integer> sides, List<Program> programs)
            throws IOException, InterruptedException, CompareFailure {
        List<Callable<Taken>> all = new ArrayList<>();
        sides.forEach(side -> all.add(() -> runs.take(programs.get(side))));
        List<Taken> taken = new ArrayList<>();
        try (ExecutorService each = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Taken> run : each.invokeAll(all)) {
                taken.add(run.get());
            }
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case CompareFailure failure -> throw failure;
                case IOException failure -> throw failure;
                case null, default -> throw new IllegalStateException(e.getCause());
            }
        }
        return taken;
    }

    private void checkResults(Taken taken) throws CompareFailure {
        Taken before = first;
        first = before == null ? taken : before;
        String expected = first.check(compare.sameOutput());
        String said = taken.check(compare.sameOutput());
        if (!Objects.equals(expected, said)) {
            throw new CompareFailure(
                    ("The results differ, so the costs cannot be compared: the first run said %s,"
                                    + " a run of %s said %s")
                            .formatted(expected, taken.program().name(), said));
        }
    }
}

package dev.oriel.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/// Lists `oriel bench` in the help. The launcher in a checkout runs the benchmarks directly; they are no part of
/// the program.
@Command(
        name = "bench",
        header = "Measure Oriel, beside its peers, in one run.",
        description = {"", "Runs from a checkout only: ./oriel bench --help"})
final class BenchCommand implements Callable<Integer> {
    @Unmatched private List<String> words = List.of();

    @Override
    public Integer call() throws Failure {
        throw new Failure(
                "the benchmarks run from a checkout of the source: ./oriel bench "
                        + String.join(" ", words));
    }
}

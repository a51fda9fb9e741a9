package dev.oriel.bench.results;

import dev.oriel.bench.Answer;
import dev.oriel.bench.Durability;
import dev.oriel.bench.Measurement;
import dev.oriel.compare.Interval;
import dev.oriel.compare.Statistics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/// The figures of one scenario, round by round.
public final class Rounds {
    /// The key of a figure.
    record Key(String caseName, String subject, String metric) {}

    private final Map<Key, List<@Nullable Measurement>> measured = new LinkedHashMap<>();
    private final Map<String, Map<String, Long>> checksums = new TreeMap<>();

    /// Answers by case and subject, for cases whose answers may differ in the digits of quotients.
    private final Map<String, Map<String, Answer>> answers = new TreeMap<>();

    private int rounds;

    /// Begins a round: cases that are not measured in it stay empty.
    public void beginRound() {
        rounds++;
    }

    /// Number of rounds begun.
    public int rounds() {
        return rounds;
    }

    /// Adds a subject's measurement of this round. If it measures twice in one run, the last one counts.
    public void add(String subject, Measurement measurement) {
        Key key = new Key(measurement.caseName(), subject, measurement.metric());
        List<@Nullable Measurement> values = measured.computeIfAbsent(key, _ -> new ArrayList<>());
        while (values.size() < rounds) {
            values.add(null);
        }
        values.set(rounds - 1, measurement);
        if (measurement.checksum() != 0) {
            checksums
                    .computeIfAbsent(measurement.caseName(), _ -> new TreeMap<>())
                    .put(subject, measurement.checksum());
        }
    }

    /// Adds a subject's answer of this round.
    public void add(String subject, Answer.Answered answered) {
        answers.computeIfAbsent(answered.caseName(), _ -> new TreeMap<>())
                .put(subject, answered.answer());
    }

    /// Takes over the figures of earlier rounds, which have begun. Their use of the processor and of memory is
    /// known as an average. Their checksums are not known; a round's checksums are compared when it ends.
    public void restore(Results.Result result) {
        List<@Nullable Measurement> values = new ArrayList<>();
        for (Double sample : result.samples()) {
            values.add(sample == null ? null : measurement(result, sample));
        }
        measured.put(new Key(result.caseName(), result.subject(), result.metric()), values);
    }

    private static Measurement measurement(Results.Result result, double value) {
        return new Measurement(
                result.caseName(),
                result.metric(),
                result.unit(),
                value,
                result.cpuPerOp() == null ? Double.NaN : result.cpuPerOp(),
                result.bytesPerOp() == null ? Double.NaN : result.bytesPerOp(),
                Durability.valueOf(result.durability().toUpperCase(Locale.ROOT)),
                0);
    }

    /// Notes on subjects whose data differ from ours (from the first subject's, if none of ours ran).
    public List<Results.Note> differences() {
        List<Results.Note> notes = new ArrayList<>();
        checksums.forEach((caseName, sums) -> {
            String reference = reference(sums);
            Long expected = Objects.requireNonNull(sums.get(reference));
            sums.forEach((subject, sum) -> {
                if (!sum.equals(expected)) {
                    notes.add(differs(caseName, subject, reference));
                }
            });
        });
        answers.forEach((caseName, all) -> {
            String reference = reference(all);
            Answer right = Objects.requireNonNull(all.get(reference));
            all.forEach((subject, answer) -> {
                if (!answer.isValidAgainst(right)) {
                    notes.add(differs(caseName, subject, reference));
                }
            });
        });
        return notes.stream().distinct().toList();
    }

    private static String reference(Map<String, ?> bySubject) {
        return bySubject.keySet().stream()
                .filter(name -> name.startsWith("oriel"))
                .findFirst()
                .orElse(bySubject.keySet().iterator().next());
    }

    private static Results.Note differs(String caseName, String subject, String reference) {
        return new Results.Note(caseName, subject, "read something else than " + reference);
    }

    /// The widest half interval of the main figures (rates and times) of `subjects` as a share; infinite while one
    /// was measured less than twice. It decides whether another round follows.
    public double widest(Set<String> subjects) {
        double widest = 0;
        for (Map.Entry<Key, List<@Nullable Measurement>> entry : measured.entrySet()) {
            Key key = entry.getKey();
            if (isMain(key.metric()) && subjects.contains(key.subject())) {
                double[] values = present(entry.getValue());
                widest = Math.max(widest, Statistics.mean(values).halfWidth());
            }
        }
        return widest;
    }

    private static boolean isMain(String metric) {
        return metric.equals("rate") || metric.equals("time");
    }

    private static double[] present(List<@Nullable Measurement> values) {
        double[] present = new double[values.size()];
        int count = 0;
        for (Measurement one : values) {
            if (one != null) {
                present[count++] = one.value();
            }
        }
        return Arrays.copyOf(present, count);
    }

    private static Measurement first(List<@Nullable Measurement> values) {
        for (Measurement one : values) {
            if (one != null) {
                return one;
            }
        }
        throw new IllegalArgumentException("Nothing was measured");
    }

    /// All results so far.
    public List<Results.Result> results() {
        List<Results.Result> results = new ArrayList<>();
        for (Map.Entry<Key, List<@Nullable Measurement>> entry : measured.entrySet()) {
            results.add(result(entry.getKey(), entry.getValue()));
        }
        return results;
    }

    private Results.Result result(Key key, List<@Nullable Measurement> values) {
        Measurement any = first(values);
        Interval mean = Statistics.mean(present(values));
        List<@Nullable Double> samples = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            Measurement one = i < values.size() ? values.get(i) : null;
            samples.add(one == null ? null : one.value());
        }
        return new Results.Result(
                key.caseName(),
                key.subject(),
                key.metric(),
                any.unit(),
                mean.value(),
                mean.closed() ? mean.low() : null,
                mean.closed() ? mean.high() : null,
                average(values.stream().mapToDouble(m -> m == null ? Double.NaN : m.cpuPerOp())),
                average(values.stream().mapToDouble(m -> m == null ? Double.NaN : m.bytesPerOp())),
                any.durability().name().toLowerCase(Locale.ROOT),
                samples);
    }

    private static @Nullable Double average(DoubleStream values) {
        double[] known = values.filter(value -> !Double.isNaN(value)).toArray();
        return known.length == 0 ? null : Arrays.stream(known).average().orElseThrow();
    }
}

package dev.oriel.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// The results of scripts: counts, and the failures by their cause. Any number of threads may add to it.
final class LogicSummary {
    private static final Pattern PARTICULARS = Pattern.compile("\"[^\"]*\"|'[^']*'|\\d+");
    private static final Pattern PLACE = Pattern.compile("(?s)\\n.*| *\\((?:at|line) .*");

    private final int examplesMax;
    private final Map<String, Cause> causes = new TreeMap<>();
    private final Map<String, Cause> differences = new TreeMap<>();
    private long scripts;
    private long passed;
    private long failed;
    private long different;
    private long skipped;

    /// @param examplesMax greatest number of examples of each cause
    LogicSummary(int examplesMax) {
        this.examplesMax = examplesMax;
    }

    private static final class Cause {
        private long count;
        private final List<String> examples = new ArrayList<>();
    }

    synchronized void passed() {
        passed++;
    }

    synchronized void skipped(int count) {
        skipped += count;
        scripts++;
    }

    /// Notes an answer that differs by design.
    synchronized void differs(String reason, String example) {
        different++;
        note(differences, reason, example);
    }

    /// Notes a failure; the part of its message that it shares with others is the cause.
    synchronized void failed(String message, String example) {
        failed++;
        String general = PLACE.matcher(message).replaceAll("");
        String name = PARTICULARS.matcher(general).replaceAll("_");
        note(causes, name, example);
    }

    private void note(Map<String, Cause> causes, String name, String example) {
        Cause cause = causes.computeIfAbsent(name, _ -> new Cause());
        cause.count++;
        if (cause.examples.size() < examplesMax) {
            cause.examples.add(example);
        }
    }

    synchronized long differences() {
        return different;
    }

    synchronized long failures() {
        return failed;
    }

    synchronized long passes() {
        return passed;
    }

    /// One line of counts.
    synchronized String counts() {
        return String.format(
                Locale.ROOT,
                "%,d scripts, %,d passed, %,d failed, %,d different by design, %,d skipped",
                scripts,
                passed,
                failed,
                different,
                skipped);
    }

    @Override
    public synchronized String toString() {
        StringBuilder text = new StringBuilder(counts()).append('\n');
        write(text, "Failures", causes);
        write(text, "Different by design", differences);
        return text.toString();
    }

    private static void write(StringBuilder text, String title, Map<String, Cause> causes) {
        if (causes.isEmpty()) {
            return;
        }
        text.append(title).append('\n');
        List<Map.Entry<String, Cause>> sorted = new ArrayList<>(causes.entrySet());
        sorted.sort((a, b) -> Long.compare(b.getValue().count, a.getValue().count));
        for (Map.Entry<String, Cause> entry : sorted) {
            text.append(
                    String.format(
                            Locale.ROOT, "%,9d  %s%n", entry.getValue().count, entry.getKey()));
            for (String example : entry.getValue().examples) {
                text.append("           ").append(example.replace("\n", " ")).append('\n');
            }
        }
    }
}

package dev.oriel.bench.report;

import dev.oriel.bench.report.Headlines.Headline;
import dev.oriel.bench.report.Limits.Limit;
import dev.oriel.bench.results.CaseTable;
import dev.oriel.bench.results.CaseTable.Row;
import dev.oriel.bench.results.Comparisons;
import dev.oriel.bench.results.Figures;
import dev.oriel.bench.results.Results;
import dev.oriel.bench.results.Results.Note;
import dev.oriel.bench.results.Results.Result;
import dev.oriel.bench.results.Verdict;
import dev.oriel.bench.targets.Measured;
import dev.oriel.bench.targets.Target;
import dev.oriel.bench.targets.Target.Check;
import dev.oriel.bench.targets.Target.Outcome;
import dev.oriel.bench.targets.Target.Status;
import dev.oriel.bench.targets.Targets;
import dev.oriel.compare.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/// Results as Markdown, for the documents.
public final class MarkdownReport {
    private final Results results;
    private final Comparisons comparisons;
    private final Measured measured;
    private final StringBuilder out = new StringBuilder();

    /// A report of one run.
    public MarkdownReport(Results results) {
        this.results = results;
        this.comparisons = new Comparisons(results);
        this.measured = new Measured(results, comparisons);
    }

    /// The whole report.
    public String all() {
        out.setLength(0);
        origin();
        writeTargets("\n## Targets\n");
        writeResults();
        return out.toString();
    }

    /// Everything but the targets.
    public String results() {
        out.setLength(0);
        origin();
        writeResults();
        return out.toString();
    }

    /// The targets and their verdicts, empty if no target applies to the measured cases.
    public String targets() {
        out.setLength(0);
        writeTargets("");
        return out.toString();
    }

    /// The short table: our figure, the best peer's, the ratio.
    public String figures() {
        out.setLength(0);
        header("| | Oriel | best peer | |", "|---|---:|---:|---:|");
        for (Headline headline : Headlines.of(measured)) {
            CaseTable table = headline.table();
            Row ours = table.ours();
            Row best = table.best();
            Interval ratio = table.ratio();
            if (ours == null) {
                continue;
            }
            row(
                    headline.words(),
                    value(ours.result()),
                    best == null
                            ? ""
                            : value(best.result()) + " (" + escaped(best.result().subject()) + ")",
                    ratio == null ? "" : "**" + Figures.ratio(ratio.value()) + "**");
        }
        return out.toString();
    }

    private void writeResults() {
        comparisons
                .byWorkload()
                .forEach((workload, tables) -> {
                    out.append("\n## ").append(workload).append('\n');
                    tables.forEach(this::table);
                });
        GrowthTable.writeAll(comparisons.tables(), out);
        limits();
        notes();
        settings();
    }

    private void origin() {
        out.append("```\n").append(results.command().replace("; ", "\n")).append("\n```\n");
        out.append("Machine: ").append(escaped(results.machine())).append(".  \n");
        out.append("Date: ").append(escaped(results.date()));
        out.append("; commit: ").append(escaped(results.commit()));
        out.append("; scale: ").append(escaped(results.scale()));
        out.append("; seed: ").append(results.seed());
        out.append("; rounds a scenario: ").append(rounds()).append(".  \n");
        out.append(
                """
                Figures are geometric means over fresh JVMs. Brackets hold 95 % intervals. A ratio says \
                how many times better Oriel is than the peer of that row, paired by round: above 1 Oriel \
                is ahead.
                """);
        out.append('\n').append(verdicts()).append('\n');
    }

    private String verdicts() {
        List<String> words = new ArrayList<>();
        for (Verdict verdict : Verdict.values()) {
            long count = comparisons.count(verdict);
            if (count > 0) {
                words.add(count + " " + verdict.word());
            }
        }
        return "Cases: " + String.join(", ", words) + ".";
    }

    private String rounds() {
        int low = results.rounds().values().stream().mapToInt(n -> n).min().orElse(0);
        int high = results.rounds().values().stream().mapToInt(n -> n).max().orElse(0);
        return low == high ? Integer.toString(low) : low + " to " + high;
    }

    private void writeTargets(String heading) {
        List<Outcome> outcomes = Targets.of(results, measured);
        if (outcomes.isEmpty()) {
            return;
        }
        out.append(heading);
        header("| workload | target | measured | case | |", "|---|---|---:|---|---|");
        for (Outcome outcome : outcomes) {
            Target target = outcome.target();
            Check worst = outcome.worst();
            if (worst == null) {
                row(target.workload(), target.text(), "", "", outcome.status().word());
                continue;
            }
            String against = worst.against().isEmpty() ? "" : " against " + code(worst.against());
            row(
                    target.workload(),
                    target.text(),
                    (worst.value() + " " + worst.ends()).strip(),
                    code(worst.caseName()) + against,
                    word(outcome, worst));
        }
        out.append("\nOf several cases the worst is shown.\n");
    }

    private static String word(Outcome outcome, Check worst) {
        long met = outcome.checks().stream().filter(outcome.target()::met).count();
        boolean isMet = outcome.status() == Status.MET;
        String word = isMet ? "met" : "**not met**";
        if (outcome.target().close(worst)) {
            word += ", within the noise";
        }
        int all = outcome.checks().size();
        String cases = all == 1 ? "" : " (" + met + " of " + all + " cases)";
        return word + cases + (isMet ? "" : Reasons.link(outcome.target()));
    }

    private void limits() {
        List<Limit> limits = Limits.of(comparisons, measured);
        if (limits.isEmpty()) {
            return;
        }
        out.append("\n## Limits of the machine\n");
        header("| limit | figure | ours | | we take |", "|---|---:|---|---:|---:|");
        for (Limit limit : limits) {
            Result ours = limit.ours();
            Interval share = limit.share();
            row(
                    code(limit.machine().caseName()) + ", " + escaped(limit.machine().metric()),
                    value(limit.machine()),
                    ours == null ? "" : code(ours.caseName()),
                    ours == null ? "" : value(ours),
                    share == null ? "" : Figures.ratio(share));
        }
    }

    private void table(CaseTable table) {
        Interval ratio = table.ratio();
        out.append("\n### ").append(escaped(table.title())).append('\n');
        if (ratio != null) {
            Row best = table.best();
            out.append("Oriel against the best peer");
            out.append(best == null ? "" : " (" + escaped(best.result().subject()) + ")");
            out.append(": ").append(Figures.ratio(ratio)).append(", ");
            out.append(table.verdict().word()).append(".\n\n");
        }
        List<String> beside = table.metricsBeside(any -> true);
        StringBuilder head = new StringBuilder("| subject | durability | " + table.metric());
        StringBuilder rule = new StringBuilder("|---|---|---:|---:|---:|---:|");
        head.append(" | Oriel is | cpu/op | bytes/op |");
        for (String metric : beside) {
            head.append(' ').append(metric).append(" |");
            rule.append("---:|");
        }
        header(head.toString(), rule.toString());
        for (Row row : table.rows()) {
            List<String> cells = new ArrayList<>(cells(row, row.equals(table.ours())));
            for (String metric : beside) {
                Result other = table.beside(row.result().subject(), metric);
                cells.add(other == null ? "" : Figures.of(other.value(), other.unit()));
            }
            row(cells.toArray(String[]::new));
        }
        for (Note note : table.notes()) {
            out.append("\n").append(noteText(note)).append('\n');
        }
    }

    private List<String> cells(Row row, boolean headline) {
        Result r = row.result();
        String name = r.ours() ? "**" + escaped(r.subject()) + "**" : escaped(r.subject());
        Double cpu = r.cpuPerOp();
        Double bytes = r.bytesPerOp();
        Interval lead = row.lead();
        String value = value(r);
        return List.of(
                name,
                r.durability().toLowerCase(Locale.ROOT),
                headline ? "**" + Figures.of(r.value(), r.unit()) + "**" + ends(r) : value,
                lead == null ? "" : Figures.ratio(lead),
                cpu == null ? "" : Figures.time(cpu),
                bytes == null ? "" : Figures.bytes(bytes));
    }

    private static String value(Result r) {
        return Figures.of(r.value(), r.unit()) + ends(r);
    }

    private static String ends(Result r) {
        Double low = r.low();
        Double high = r.high();
        return low == null || high == null ? "" : " " + Figures.interval(low, high, r.unit());
    }

    /// Notes on cases without a table, and the runs that figures come from.
    private void notes() {
        List<String> named = comparisons.tables().stream().map(CaseTable::caseName).toList();
        List<Note> left =
                results.notes().stream().filter(note -> !named.contains(note.caseName())).toList();
        if (left.isEmpty()) {
            return;
        }
        out.append("\n## Notes\n");
        for (Note note : left) {
            out.append("- ").append(noteText(note)).append('\n');
        }
    }

    private static String noteText(Note note) {
        String who = note.subject().isEmpty() ? "" : ", " + escaped(note.subject());
        return code(note.caseName()) + who + ": " + escaped(note.text());
    }

    private void settings() {
        if (results.settings().isEmpty()) {
            return;
        }
        out.append("\n## Settings of the subjects\n");
        new TreeMap<>(results.settings())
                .forEach((subject, text) ->
                        out.append("- **")
                                .append(escaped(subject))
                                .append("**: ")
                                .append(escaped(text))
                                .append('\n'));
    }

    private void header(String names, String rule) {
        out.append(names).append('\n').append(rule).append('\n');
    }

    private void row(String... cells) {
        out.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    private static String code(String text) {
        return "`" + text.replace("`", "'").replace("|", "\\|") + "`";
    }

    /// Text with the characters escaped that Markdown would take for marks of its own.
    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ("\\`*_[]<>|".indexOf(c) >= 0) {
                escaped.append('\\');
            }
            escaped.append(c == '\n' || c == '\r' ? ' ' : c);
        }
        return escaped.toString();
    }
}

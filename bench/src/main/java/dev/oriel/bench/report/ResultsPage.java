package dev.oriel.bench.report;

import dev.oriel.bench.report.Limits.Limit;
import dev.oriel.bench.results.CaseTable;
import dev.oriel.bench.results.CaseTable.Row;
import dev.oriel.bench.results.Cases;
import dev.oriel.bench.results.Comparisons;
import dev.oriel.bench.results.Results;
import dev.oriel.bench.results.Results.Note;
import dev.oriel.bench.results.ResultsMerge;
import dev.oriel.bench.results.Verdict;
import dev.oriel.bench.targets.Measured;
import dev.oriel.bench.targets.Target.Outcome;
import dev.oriel.bench.targets.Target.Status;
import dev.oriel.bench.targets.Targets;
import dev.oriel.profiler.HtmlPage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeSet;
import java.util.function.Predicate;

/// Results as one self-contained HTML page in the style of the reports: no network, no library. Text from the results
/// is escaped. Its script draws what tables do not hold, and filters.
public final class ResultsPage {
    private final Results results;
    private final Comparisons comparisons;
    private final Measured measured;
    private final List<Outcome> targets;
    private final Map<String, List<CaseTable>> byWorkload;
    private final List<Limit> limits;
    private final StringBuilder out = new StringBuilder();

    /// The page of one run.
    public ResultsPage(Results results) {
        this.results = results;
        this.comparisons = new Comparisons(results);
        this.measured = new Measured(results, comparisons);
        this.targets = Targets.of(results, measured);
        this.byWorkload = comparisons.byWorkload();
        this.limits = Limits.of(comparisons, measured);
    }

    /// Writes the page, and replaces the content of the file.
    public void write(Path file) throws IOException {
        Files.writeString(file, text());
    }

    /// The text of the page.
    String text() throws IOException {
        out.setLength(0);
        HtmlPage.begin("Oriel beside its peers", resource("results.css"), out);
        header();
        nav();
        out.append(
                "<main>\n<noscript><p>The charts are drawn by a script in this page, which your ");
        out.append("browser does not run; the tables hold all figures.</p></noscript>\n");
        new GlanceSection(comparisons.tables()).write(out);
        PageTables tables = new PageTables(out);
        tables.targets(targets);
        for (Map.Entry<String, List<CaseTable>> each : byWorkload.entrySet()) {
            workload(each.getKey(), each.getValue());
        }
        tables.limits(limits);
        tables.articles(Articles.of(measured));
        tables.notes(otherNotes());
        tables.settings(results.settings());
        out.append(
                "</main>\n<footer>\n<p>Every figure is the geometric mean over fresh JVMs, the ");
        out.append("subjects of a case interleaved in rounds. Whiskers and brackets are 95 % ");
        out.append("intervals; ratios are paired by round. Bars begin at 0.</p>\n</footer>\n");
        HtmlPage.end(resource("results.js"), out);
        return out.toString();
    }

    private void header() {
        int low = results.rounds().values().stream().mapToInt(n -> n).min().orElse(0);
        int high = results.rounds().values().stream().mapToInt(n -> n).max().orElse(0);
        String rounds =
                low != high
                        ? low + " to " + high + " rounds"
                        : low == 1 ? "1 round" : low + " rounds";
        out.append("<header>\n<h1>Oriel beside its peers</h1>\n<p class=\"subtitle\">");
        out.append(Html.text(results.date())).append(" &middot; commit ");
        out.append(Html.text(results.commit())).append(" &middot; ");
        out.append(Html.text(results.scale())).append(" &middot; ").append(rounds);
        out.append(" &middot; seed ").append(results.seed()).append("<br>");
        out.append(Html.text(results.machine())).append("</p>\n<div class=\"sum\">\n");
        verdicts();
        targetTile();
        out.append("</div>\n</header>\n");
    }

    private void verdicts() {
        long compared = comparisons.tables().stream().filter(t -> t.ratio() != null).count();
        out.append(
                "<div class=\"panel\"><p>Cases compared with the best peer</p><p class=\"big\">");
        out.append(comparisons.count(Verdict.AHEAD)).append(" <small>of ").append(compared);
        out.append(" ahead</small></p>\n<div class=\"split\">");
        for (Verdict verdict : Verdict.values()) {
            long count = verdict == Verdict.ALONE ? 0 : comparisons.count(verdict);
            if (count > 0) {
                out.append("<i class=\"v-").append(Html.style(verdict)).append("\" style=\"flex:");
                out.append(count).append("\"></i>");
            }
        }
        out.append("</div>\n<p class=\"keys\">");
        for (Verdict verdict : Verdict.values()) {
            long count = comparisons.count(verdict);
            if (count > 0) {
                chip(Html.style(verdict), verdict.word(), count);
            }
        }
        out.append("</p></div>\n");
    }

    private void chip(String style, String word, long count) {
        out.append("<button data-verdict=\"").append(style).append("\" aria-pressed=\"false\" ");
        out.append("title=\"show only these\"><i class=\"v-").append(style).append("\"></i>");
        out.append(word).append(" <b>").append(count).append("</b></button>");
    }

    private void targetTile() {
        if (targets.isEmpty()) {
            return;
        }
        out.append("<div class=\"panel\"><p>Targets</p><p class=\"big\">");
        out.append(Targets.count(targets, Status.MET)).append(" <small>of ");
        out.append(targets.size()).append(" met</small></p>\n<div class=\"split\">");
        for (Status status : Status.values()) {
            long count = Targets.count(targets, status);
            if (count > 0) {
                out.append("<i class=\"").append(colour(status)).append("\" style=\"flex:");
                out.append(count).append("\"></i>");
            }
        }
        out.append("</div>\n<p class=\"keys\"><a href=\"#targets\">");
        out.append(Targets.count(targets, Status.NOT_MET)).append(" not met, ");
        out.append(Targets.count(targets, Status.NOT_MEASURED)).append(" not measured</a></p>");
        out.append("</div>\n");
    }

    private static String colour(Status status) {
        return switch (status) {
            case MET -> "v-ahead";
            case NOT_MET -> "v-behind";
            case NOT_MEASURED -> "v-not-compared";
        };
    }

    private void nav() {
        out.append("<nav><div><a href=\"#glance\">at a glance</a>");
        out.append(targets.isEmpty() ? "" : "<a href=\"#targets\">targets</a>");
        for (String workload : byWorkload.keySet()) {
            String name = Html.text(workload);
            out.append("<a href=\"#w-").append(name).append("\">").append(name).append("</a>");
        }
        out.append(limits.isEmpty() ? "" : "<a href=\"#limits\">limits</a>");
        out.append("<a href=\"#articles\">then and now</a><a href=\"#settings\">settings</a>");
        out.append("</div></nav>\n");
    }

    private void workload(String workload, List<CaseTable> tables) throws IOException {
        String name = Html.text(workload);
        out.append("<section id=\"w-").append(name).append("\" data-group=\"").append(name);
        out.append("\">\n<div class=\"head\"><h2>").append(name).append("</h2>");
        originNotes(workload);
        out.append("</div>\n");
        GrowthChart.writeAll(tables, peers(tables), out);
        for (CaseTable table : tables) {
            new CaseCard(table, results.settings(), out).write();
        }
        out.append("</section>\n");
    }

    private void originNotes(String workload) {
        for (Note note : results.notes()) {
            if (ResultsMerge.isOrigin(note) && note.caseName().equals(workload)) {
                out.append("<p>").append(Html.text(note.text())).append("</p>");
            }
        }
    }

    private static List<String> peers(List<CaseTable> tables) {
        TreeSet<String> peers = new TreeSet<>();
        for (CaseTable table : tables) {
            for (Row row : table.rows()) {
                if (Cases.isPeer(row.result())) {
                    peers.add(row.result().subject());
                }
            }
        }
        return List.copyOf(peers);
    }

    /// The notes that no case and no workload on the page shows.
    private List<Note> otherNotes() {
        List<String> shown =
                byWorkload.values().stream()
                        .flatMap(List::stream)
                        .map(CaseTable::caseName)
                        .toList();
        Predicate<Note> origin =
                note -> ResultsMerge.isOrigin(note) && byWorkload.containsKey(note.caseName());
        return results.notes().stream()
                .filter(note -> !shown.contains(note.caseName()))
                .filter(origin.negate())
                .toList();
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = ResultsPage.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new NoSuchElementException(
                        name + " is missing from the jar of the benchmarks");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}

package dev.oriel.sql.watch;

import dev.oriel.sql.measure.Analysis;
import dev.oriel.sql.measure.Analysis.Node;
import java.util.List;
import java.util.Locale;

/// EXPLAIN as one self-contained HTML page: one line per operator, with a bar for its own time.
final class PlanPage {
    private static final String STYLE =
            """
            <style>
            :root { color-scheme: light dark; --bar: #d9772b; --line: #8884; --dim: #8889; }
            body { font: 14px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem;
              padding: 0 1rem; }
            h1 { font-size: 1.25rem; margin: 0 0 .25rem; }
            p.verdict { margin: 0 0 1.25rem; }
            table { border-collapse: collapse; width: 100%; }
            th { font-weight: 600; text-align: right; border-bottom: 2px solid var(--line); }
            th:first-child, td:first-child, th:nth-child(2), td:nth-child(2) { text-align: left; }
            th, td { padding: .3rem .6rem; vertical-align: top; }
            td { text-align: right; border-bottom: 1px solid var(--line);
              font-variant-numeric: tabular-nums; white-space: nowrap; }
            td:first-child { font-family: ui-monospace, monospace; font-size: 13px;
              white-space: normal; overflow-wrap: anywhere; }
            td.bar { width: 9rem; min-width: 9rem; }
            td.bar div { height: .8rem; margin-top: .25rem; background: var(--bar);
              border-radius: 2px; min-width: 1px; }
            td.off { color: #c33; font-weight: 600; }
            .words td:last-child, .words th:last-child { text-align: left; }
            .dim { color: var(--dim); }
            </style>
            """;

    /// Ratio of actual to estimated rows from which an operator is marked. (Fewer rows are no surprise: LIMIT.)
    private static final double WRONG_FACTOR = 10;

    private final StringBuilder out = new StringBuilder();

    /// Whether operators were timed; without clock readings there are no times to show.
    private boolean timing;

    String ofPlan(List<PlanReport.Entry> entries) {
        begin("Query plan");
        out.append("<table><tr><th>operator<th>rows, estimated</tr>\n");
        for (PlanReport.Entry entry : entries) {
            operator(entry);
            out.append("<td>");
            out.append(entry.estimate() < 0 ? "" : PlanReport.rows(entry.estimate()));
            out.append("</tr>\n");
        }
        return out.append("</table></body></html>\n").toString();
    }

    String ofRun(PlanReport.Run run) {
        Analysis analysis = run.analysis();
        timing = analysis.timing();
        begin(timing ? "Query plan with times" : "Query plan with rows");
        out.append("<p class=verdict>").append(escaped(timing ? verdict(run) : rows(run) + "."));
        out.append("<table><tr><th>operator");
        out.append(timing ? "<th>own time<th>own<th>share<th>total<th>first row" : "");
        out.append("<th>rows<th>estimated<th>loops<th>pages<th>memory</tr>\n");
        for (PlanReport.Entry entry : run.entries()) {
            row(entry, run.totalNanos());
        }
        own("Statement: begin, change, end", analysis.statement, run.totalNanos());
        own("Commit", analysis.commit, run.totalNanos());
        out.append("</table>\n");
        if (timing) {
            measured(run);
        }
        for (PlanAdvice.Advice each : run.advice()) {
            out.append("<p>").append(escaped(each.line())).append('\n');
        }
        if (run.profile() != null) {
            methods(run);
        }
        return out.append("</body></html>\n").toString();
    }

    private void measured(PlanReport.Run run) {
        out.append("<p class=dim>Own times add up to ")
                .append(PlanReport.millis(run.totalNanos()))
                .append(". Measuring them took about ")
                .append(PlanReport.millis(run.measuringNanos()))
                .append(" of that (")
                .append(PlanReport.percent(run.measuringNanos(), run.totalNanos()))
                .append(").\n");
    }

    private static String rows(PlanReport.Run run) {
        return run.rows() + (run.rows() == 1 ? " row" : " rows");
    }

    private void begin(String title) {
        out.append("<!doctype html><html lang=en><head><meta charset=utf-8><title>")
                .append(title)
                .append("</title>\n")
                .append(STYLE)
                .append("</head><body><h1>")
                .append(title)
                .append("</h1>\n");
    }

    /// A sentence that names the operators with most of the time.
    private static String verdict(PlanReport.Run run) {
        Analysis analysis = run.analysis();
        String most = "the statement itself";
        Node longest = analysis.statement;
        for (PlanReport.Entry entry : run.entries()) {
            Node node = entry.node();
            if (node != null && node.selfNanos > longest.selfNanos) {
                longest = node;
                most = entry.line().text();
            }
        }
        if (analysis.commit.selfNanos > longest.selfNanos) {
            longest = analysis.commit;
            most = "the commit";
        }
        return rows(run)
                + " in "
                + PlanReport.millis(run.totalNanos())
                + ". "
                + PlanReport.percent(longest.selfNanos, run.totalNanos())
                + " of it was spent in "
                + most
                + ".";
    }

    private void operator(PlanReport.Entry entry) {
        out.append(
                String.format(
                        Locale.ROOT,
                        "<tr><td style=\"padding-left:%.1frem\">",
                        0.6 + 1.2 * entry.line().depth()));
        out.append(escaped(entry.line().text()));
    }

    private void row(PlanReport.Entry entry, long whole) {
        operator(entry);
        Node node = entry.node();
        if (node == null) {
            out.append(timing ? "<td class=bar><td><td><td><td>" : "");
            out.append("<td><td><td><td><td></tr>\n");
            return;
        }
        if (timing) {
            bar(node.selfNanos, whole);
            cell(PlanReport.millis(entry.totalNanos()));
            cell(node.firstRowNanos < 0 ? "" : PlanReport.millis(node.firstRowNanos));
        }
        boolean wrong =
                entry.estimate() >= 0
                        && node.opens > 0
                        && isWrong(entry.estimate(), (double) node.rows / node.opens);
        out.append(wrong ? "<td class=off>" : "<td>").append(node.rows);
        cell(entry.estimate() < 0 ? "" : "~" + PlanReport.rows(entry.estimate()));
        cell(Long.toString(node.opens));
        cell(Long.toString(node.pages));
        cell(
                (node.memoryBytes == 0 ? "" : PlanReport.bytes(node.memoryBytes))
                        + (node.putAsideBytes == 0
                                ? ""
                                : ", put aside " + PlanReport.bytes(node.putAsideBytes)));
        out.append("</tr>\n");
    }

    private static boolean isWrong(double estimate, double actual) {
        return actual > WRONG_FACTOR * Math.max(estimate, 1);
    }

    private void own(String name, Node node, long whole) {
        out.append("<tr><td class=dim>").append(name);
        if (timing) {
            bar(node.selfNanos, whole);
            out.append("<td><td>");
        }
        out.append("<td><td><td>");
        cell(Long.toString(node.pages));
        out.append("<td></tr>\n");
    }

    private void bar(long self, long whole) {
        out.append(
                String.format(
                        Locale.ROOT,
                        "<td class=bar><div style=\"width:%.2f%%\"></div>",
                        whole == 0 ? 0.0 : 100.0 * self / whole));
        cell(PlanReport.millis(self));
        cell(PlanReport.percent(self, whole));
    }

    private void cell(String text) {
        out.append("<td>").append(text);
    }

    private void methods(PlanReport.Run run) {
        StatementProfile.Seen seen = run.profile();
        if (seen == null) {
            return;
        }
        out.append("<h1>Methods</h1><p class=verdict>")
                .append(escaped(seen.verdict()))
                .append(
                        "<table class=words><tr><th>method<th>samples<th>count<th>share<th>operator</tr>\n");
        for (StatementProfile.Method method : seen.methods()) {
            out.append("<tr><td>").append(escaped(method.name()));
            out.append(
                    String.format(
                            Locale.ROOT,
                            "<td class=bar><div style=\"width:%.2f%%\"></div>",
                            100.0 * method.samples() / Math.max(1, seen.samples())));
            cell(Long.toString(method.samples()));
            cell(PlanReport.percent(method.samples(), seen.samples()));
            cell(escaped(StatementProfile.called(method.node(), run.entries())));
            out.append("</tr>\n");
        }
        out.append("</table>\n");
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}

package dev.oriel.bench.report;

import dev.oriel.bench.report.Articles.Then;
import dev.oriel.bench.report.Limits.Limit;
import dev.oriel.bench.results.CaseTable;
import dev.oriel.bench.results.Figures;
import dev.oriel.bench.results.Results.Note;
import dev.oriel.bench.results.Results.Result;
import dev.oriel.bench.targets.Target;
import dev.oriel.bench.targets.Target.Check;
import dev.oriel.bench.targets.Target.Outcome;
import dev.oriel.bench.targets.Target.Status;
import dev.oriel.compare.Interval;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The page's tables: targets, limits, the articles' figures, notes, settings.
final class PageTables {
    private final StringBuilder out;

    PageTables(StringBuilder out) {
        this.out = out;
    }

    void targets(List<Outcome> outcomes) {
        if (outcomes.isEmpty()) {
            return;
        }
        begin("targets", "Targets", "What the design asks for. Of several cases the worst counts.");
        head("target", "", "#measured", "#bound", "", "case");
        for (Outcome outcome : outcomes) {
            target(outcome);
        }
        end();
    }

    private void target(Outcome outcome) {
        Target target = outcome.target();
        Check worst = outcome.worst();
        out.append("<tr><td class=\"wide\"><span class=\"dim\">").append(target.workload());
        out.append("</span> ").append(Html.text(target.text())).append("</td><td>");
        if (worst == null) {
            out.append(Html.chip("", "not measured"));
            out.append("</td><td></td><td></td><td></td><td></td></tr>\n");
            return;
        }
        boolean met = outcome.status() == Status.MET;
        String style = target.close(worst) ? "close" : met ? "met" : "missed";
        String noise = target.close(worst) ? " title=\"the bound lies within the interval\"" : "";
        out.append("<span").append(noise).append('>');
        out.append(Html.chip(style, outcome.status().word())).append("</span>");
        out.append("</td><td class=\"n\"><b>");
        out.append(Html.figure(worst.value())).append("</b></td><td class=\"n dim\">");
        out.append(target.atLeast() ? "&ge; " : "&le; ").append(Html.figure(target.bound(worst)));
        out.append("</td><td class=\"dim\">");
        out.append(Html.figure(worst.ends()));
        out.append("</td><td class=\"mono\">").append(Html.caseName(worst.caseName()));
        if (!worst.against().isEmpty()) {
            out.append(" <span class=\"dim\">against ").append(Html.text(worst.against()));
            out.append("</span>");
        }
        if (outcome.checks().size() > 1) {
            long passed = outcome.checks().stream().filter(target::met).count();
            out.append(" <span class=\"dim\">(").append(passed).append(" of ");
            out.append(outcome.checks().size()).append(" met)</span>");
        }
        out.append("</td></tr>\n");
    }

    void limits(List<Limit> limits) {
        if (limits.isEmpty()) {
            return;
        }
        begin(
                "limits",
                "Limits of the machine",
                "What it does without a database, and how many times as long we take.");
        head("limit", "#figure", "ours", "#", "#we take");
        for (Limit limit : limits) {
            Result machine = limit.machine();
            Result ours = limit.ours();
            Interval share = limit.share();
            out.append("<tr><td class=\"wide mono\">").append(Html.caseName(machine.caseName()));
            out.append("</td><td class=\"n\">");
            out.append(Html.figure(Figures.of(machine.value(), machine.unit())));
            out.append(CaseTable.isMain(machine.metric()) ? "" : " " + Html.text(machine.metric()));
            out.append("</td><td class=\"mono\">");
            out.append(ours == null ? "" : Html.caseName(ours.caseName()));
            out.append("</td><td class=\"n\">");
            out.append(ours == null ? "" : Html.figure(Figures.of(ours.value(), ours.unit())));
            out.append("</td><td class=\"n\" data-name=\"we take\">");
            if (share != null) {
                out.append("<b>").append(Html.figure(Figures.ratio(share.value())));
                out.append("</b> <span class=\"dim\">");
                out.append(Html.figure(Figures.ends(share))).append("</span>");
            }
            out.append("</td></tr>\n");
        }
        end();
    }

    void articles(List<Then> rows) {
        if (rows.isEmpty()) {
            return;
        }
        begin(
                "articles",
                "The articles, then and now",
                "Each on the computer of its time: most of the distance is the hardware's and the"
                        + " JVM's. The same design beside ours, where it still runs, shows that"
                        + " part.");
        head("article", "#then", "#the same design now", "#Oriel now", "#then to now", "case");
        String last = "";
        for (Then row : rows) {
            out.append("<tr><td class=\"wide\"><b>");
            out.append(row.article().equals(last) ? "" : Html.text(row.article()) + "</b>: <b>");
            last = row.article();
            out.append("</b>").append(Html.text(row.what())).append("</td>");
            out.append("<td class=\"n\" data-name=\"then\">").append(Html.figure(row.then()));
            out.append("</td><td class=\"n\" data-name=\"same design now\">");
            String again = row.again();
            out.append(again == null ? "" : Html.figure(again));
            out.append("</td><td class=\"n\" data-name=\"Oriel now\">");
            out.append(Html.figure(row.now())).append("</td><td class=\"n\"><b>");
            out.append(Double.isFinite(row.times()) ? Html.figure(Figures.ratio(row.times())) : "");
            out.append("</b></td><td class=\"mono dim\">");
            out.append(Html.caseName(row.caseName())).append("</td></tr>\n");
        }
        end();
    }

    void notes(List<Note> notes) {
        if (notes.isEmpty()) {
            return;
        }
        out.append("<section id=\"notes\">\n<div class=\"head\"><h2>Notes</h2></div>\n");
        out.append("<div class=\"panel\"><ul class=\"plain\">\n");
        for (Note note : notes) {
            out.append("<li><code>").append(Html.caseName(note.caseName())).append("</code> ");
            out.append(note.subject().isEmpty() ? "" : "<b>" + Html.text(note.subject()) + "</b> ");
            out.append(Html.text(note.text())).append("</li>\n");
        }
        out.append("</ul></div>\n</section>\n");
    }

    void settings(Map<String, String> settings) {
        if (settings.isEmpty()) {
            return;
        }
        out.append("<section id=\"settings\">\n<div class=\"head\"><h2>Settings</h2>");
        out.append("<p>How each subject was set up, and why.</p></div>\n");
        out.append("<div class=\"panel set\"><dl>\n");
        new TreeMap<>(settings)
                .forEach((subject, text) -> {
                    out.append("<dt>").append(Html.text(subject)).append("</dt><dd>");
                    out.append(Html.text(text)).append("</dd>\n");
                });
        out.append("</dl></div>\n</section>\n");
    }

    private void begin(String id, String title, String words) {
        out.append("<section id=\"").append(id).append("\">\n<div class=\"head\"><h2>");
        out.append(title).append("</h2><p>").append(words).append("</p></div>\n");
        out.append(
                "<div class=\"panel scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Figures\">");
        out.append("<table class=\"list cards\">");
    }

    /// Writes the head of a table; a `#` before a name marks a column of figures.
    private void head(String... names) {
        out.append("<thead><tr>");
        for (String name : names) {
            boolean figures = name.startsWith("#");
            out.append(figures ? "<th class=\"n\">" : "<th>");
            out.append(figures ? name.substring(1) : name).append("</th>");
        }
        out.append("</tr></thead><tbody>\n");
    }

    private void end() {
        out.append("</tbody></table></div>\n</section>\n");
    }
}

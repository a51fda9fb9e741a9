package dev.oriel.sql.watch;

import dev.oriel.sql.measure.Analysis;
import dev.oriel.sql.measure.Analysis.Node;
import dev.oriel.sql.plan.Plan;
import java.util.List;
import java.util.Locale;

/// EXPLAIN as JSON: one object; operators nest by `inputs`. Times are milliseconds.
final class PlanJson {
    private final StringBuilder out = new StringBuilder();
    private final List<String> rules;

    /// Whether operators were timed; without clock readings there are no times to show.
    private boolean timing;

    /// @param rules rewrites made by the planner's rules; empty unless requested
    PlanJson(List<String> rules) {
        this.rules = rules;
    }

    /// Ends the object.
    private String ended() {
        if (!rules.isEmpty()) {
            out.append(",\"rules\":[");
            out.append(String.join(",", rules.stream().map(PlanJson::quoted).toList()));
            out.append(']');
        }
        return out.append('}').toString();
    }

    String ofPlan(List<PlanReport.Entry> entries) {
        out.append("{\"plan\":");
        inputs(entries, 0, 0);
        return ended();
    }

    String ofRun(PlanReport.Run run) {
        Analysis analysis = run.analysis();
        long operators = 0;
        for (Node node : analysis.nodes()) {
            operators += node.selfNanos;
        }
        timing = analysis.timing();
        out.append("{\"rows\":").append(run.rows());
        if (timing) {
            millis("planning_ms", run.planningNanos());
            millis("total_ms", run.totalNanos());
            millis("operators_ms", operators);
            millis("commit_ms", analysis.commit.selfNanos);
            millis("statement_ms", run.totalNanos() - operators - analysis.commit.selfNanos);
            millis("measuring_ms", run.measuringNanos());
        }
        out.append(",\"plan\":");
        inputs(run.entries(), 0, 0);
        foreignKeys(analysis);
        advice(run.advice());
        StatementProfile.Seen profile = run.profile();
        if (profile != null) {
            methods(profile, run.entries());
            stacks(profile, run.entries());
            out.append(",\"samples\":").append(profile.samples());
        }
        return ended();
    }

    private void foreignKeys(Analysis analysis) {
        String separator = ",\"foreign_keys\":[";
        for (Analysis.KeySearch search : analysis.keySearches()) {
            out.append(separator).append("{\"name\":").append(quoted(search.key.name()));
            out.append(",\"table\":").append(quoted(search.table.name()));
            out.append(",\"times\":").append(search.times);
            out.append(",\"times_all\":").append(search.timesAll);
            out.append(",\"rows\":").append(search.rows);
            if (timing) {
                millis("ms", search.nanos);
            }
            out.append('}');
            separator = ",";
        }
        out.append(analysis.keySearches().isEmpty() ? "" : "]");
    }

    private void advice(List<PlanAdvice.Advice> advice) {
        String separator = ",\"advice\":[";
        for (PlanAdvice.Advice each : advice) {
            out.append(separator).append('{');
            separator = ",";
            out.append("\"sentence\":").append(quoted(each.sentence()));
            out.append(",\"sql\":").append(quoted(each.sql()));
            if (!each.columns().isEmpty()) {
                out.append(",\"index\":{\"schema\":").append(quoted(each.schema()));
                out.append(",\"table\":").append(quoted(each.table()));
                out.append(",\"columns\":[");
                out.append(
                        String.join(",", each.columns().stream().map(PlanJson::quoted).toList()));
                out.append("]}");
            }
            out.append('}');
        }
        out.append(advice.isEmpty() ? "" : "]");
    }

    private void methods(StatementProfile.Seen profile, List<PlanReport.Entry> entries) {
        out.append(",\"profile\":[");
        boolean first = true;
        for (StatementProfile.Method method : profile.methods()) {
            out.append(first ? "{" : ",{");
            first = false;
            out.append("\"method\":").append(quoted(method.name()));
            out.append(",\"samples\":").append(method.samples());
            out.append(",\"operator\":")
                    .append(quoted(StatementProfile.called(method.node(), entries)))
                    .append('}');
        }
        out.append(']');
    }

    /// Each stack with the index of its operator in the plan, from 0 in the order of the text; -1 stands for the
    /// statement itself.
    private void stacks(StatementProfile.Seen profile, List<PlanReport.Entry> entries) {
        out.append(",\"stacks\":[");
        boolean first = true;
        for (StatementProfile.Stack stack : profile.stacks()) {
            out.append(first ? "{" : ",{");
            first = false;
            out.append("\"stack\":").append(quoted(stack.frames()));
            out.append(",\"samples\":").append(stack.samples());
            out.append(",\"operator\":")
                    .append(StatementProfile.place(stack.node(), entries))
                    .append('}');
        }
        out.append(']');
    }

    /// Writes the entries from `from` on at depth `depth`, with their descendants; returns the index after them.
    private int inputs(List<PlanReport.Entry> entries, int from, int depth) {
        out.append('[');
        int at = from;
        while (at < entries.size() && entries.get(at).line().depth() == depth) {
            if (at > from) {
                out.append(',');
            }
            at = entry(entries, at, depth);
        }
        out.append(']');
        return at;
    }

    private int entry(List<PlanReport.Entry> entries, int at, int depth) {
        PlanReport.Entry entry = entries.get(at);
        out.append("{\"operator\":").append(quoted(entry.line().text()));
        Plan.Scan scan = PlanAdvice.scan(entry);
        if (scan != null && scan.index() != null) {
            out.append(",\"index\":{\"schema\":").append(quoted(scan.table().schema()));
            out.append(",\"table\":").append(quoted(scan.table().name()));
            out.append(",\"name\":").append(quoted(scan.index().name())).append('}');
        }
        if (entry.estimate() >= 0) {
            out.append(",\"rows_estimated\":").append(PlanReport.rows(entry.estimate()));
        }
        Node node = entry.node();
        if (node != null) {
            out.append(",\"rows\":").append(node.rows).append(",\"loops\":").append(node.opens);
            if (entry.removed() >= 0) {
                out.append(",\"rows_removed\":").append(entry.removed());
            }
            if (timing) {
                millis("self_ms", node.selfNanos);
                millis("total_ms", entry.totalNanos());
                if (node.firstRowNanos >= 0) {
                    millis("first_row_ms", node.firstRowNanos);
                }
            }
            out.append(",\"pages\":").append(node.pages);
            out.append(",\"memory_bytes\":").append(node.memoryBytes);
            if (node.putAsideBytes > 0) {
                out.append(",\"put_aside_bytes\":").append(node.putAsideBytes);
            }
        }
        int next = at + 1;
        if (next < entries.size() && entries.get(next).line().depth() > depth) {
            out.append(",\"inputs\":");
            next = inputs(entries, next, depth + 1);
        }
        out.append('}');
        return next;
    }

    private void millis(String name, long nanos) {
        out.append(",\"").append(name).append("\":");
        out.append(String.format(Locale.ROOT, "%.6f", nanos / 1e6));
    }

    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ') {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}

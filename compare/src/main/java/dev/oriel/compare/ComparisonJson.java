package dev.oriel.compare;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Comparisons as JSON, for other programs.
///
/// ```
/// {"a", "b", "comparisons": [{"name", "pairs", "inTurns", "noisy", "verdict", "decidedBy",
///   "conclusion", "worse", "morePairs",
///   "operation": [{"measure", "unit", "a", "b", "ratio", "low", "high", "p", "verdict",
///                  "morePairs"}],
///   "causes": [{"method", "measure", "sentence", "moved", "callee", "untimed": [method],
///               "inner": {"method", "a", "b", "path": [method]}, "paths": [[method]]}],
///   "calls": [{"method", "sentence", "a", "b", "path": [method]}],
///   "methods": [{"method", "measure", "total": {...}, "self": {...}, "callsA", "callsB"}]}]}
/// ```
/// `worse`, `verdict` and the exit code of the command are the operation's; `decidedBy` is the measure that they
/// go by, `null` if none tells A and B apart. `untimed` lists callees whose time is part of the method's, since they
/// are too short to be timed. `inner`, if there is one, is the callee that was not timed and in which samples show
/// most of the difference. Ends of an open interval, and ratios of a new cost, are `null`.
///
/// @param nameA name of A
/// @param nameB name of B
public record ComparisonJson(String nameA, String nameB) {
    /// Writes a file, and replaces its content.
    public void write(Map<String, Comparison> comparisons, Path file) throws IOException {
        JsonMapper mapper = new JsonMapper();
        ObjectNode root = mapper.createObjectNode().put("a", nameA).put("b", nameB);
        ArrayNode all = root.putArray("comparisons");
        comparisons.forEach((name, comparison) -> add(all.addObject(), name, comparison));
        mapper.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), root);
    }

    private static void add(ObjectNode to, String name, Comparison comparison) {
        to.put("name", name).put("pairs", comparison.pairs()).put("inTurns", comparison.inTurns());
        to.put("noisy", comparison.noisy()).put("worse", comparison.worse());
        to.put("verdict", comparison.verdict().name().toLowerCase(Locale.ROOT));
        Measure decides = comparison.decidedBy();
        to.put("decidedBy", decides == null ? null : decides.name().toLowerCase(Locale.ROOT));
        to.put("conclusion", new Summary(comparison).headline());
        to.put("morePairs", comparison.morePairs());
        ArrayNode operation = to.putArray("operation");
        comparison
                .operation()
                .forEach((measure, whole) ->
                        difference(measured(operation.addObject(), measure), whole));
        ArrayNode causes = to.putArray("causes");
        for (Cause cause : comparison.causes()) {
            ObjectNode node = measured(causes.addObject(), cause.method().measure());
            node.put("method", cause.method().name()).put("sentence", cause.sentence());
            node.put("moved", cause.moved());
            node.put("callee", cause.callee());
            cause.untimed().forEach(node.putArray("untimed")::add);
            Inner inner = cause.inner();
            if (inner != null) {
                ObjectNode below = node.putObject("inner").put("method", inner.name());
                below.put("a", inner.costA()).put("b", inner.costB());
                below.put("timed", inner.timed());
                inner.path().forEach(below.putArray("path")::add);
            }
            ArrayNode paths = node.putArray("paths");
            for (List<String> path : cause.paths()) {
                path.forEach(paths.addArray()::add);
            }
        }
        ArrayNode calls = to.putArray("calls");
        for (CallChange change : comparison.calls()) {
            ObjectNode node = calls.addObject().put("method", change.name());
            node.put("sentence", change.sentence());
            node.put("a", change.callsA()).put("b", change.callsB());
            change.path().forEach(node.putArray("path")::add);
        }
        ArrayNode methods = to.putArray("methods");
        comparison
                .methods()
                .forEach((measure, changes) -> {
                    for (MethodChange change : changes) {
                        ObjectNode node = measured(methods.addObject(), measure);
                        node.put("method", change.name());
                        difference(node.putObject("total"), change.total());
                        difference(node.putObject("self"), change.self());
                        node.put("callsA", change.callsA()).put("callsB", change.callsB());
                    }
                });
    }

    private static ObjectNode measured(ObjectNode node, Measure measure) {
        return node.put("measure", measure.name().toLowerCase(Locale.ROOT))
                .put("unit", measure.unit());
    }

    private static void difference(ObjectNode node, Difference difference) {
        Change change = difference.change();
        node.put("a", difference.costA()).put("b", difference.costB());
        number(node, "ratio", change.ratio().value());
        boolean closed = change.ratio().closed();
        number(node, "low", closed ? change.ratio().low() : Double.NaN);
        number(node, "high", closed ? change.ratio().high() : Double.NaN);
        node.put("p", change.pValue());
        node.put("verdict", change.verdict().name().toLowerCase(Locale.ROOT));
        node.put("morePairs", difference.morePairs());
    }

    private static void number(ObjectNode node, String name, double value) {
        if (Double.isFinite(value)) {
            node.put(name, value);
        } else {
            node.putNull(name);
        }
    }
}

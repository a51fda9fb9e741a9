package dev.oriel.studio;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.oriel.compare.Change;
import dev.oriel.compare.Statistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Tests measurements that the page has gathered, by the statistics of the module `compare`.
final class Comparisons {
    private static final int SERIES_MAX = 1_000;
    private static final int VALUES_MAX = 1_000;

    /// The false discovery rate: the expected share of wrong ones among the named differences.
    private static final double FALSE_DISCOVERY = 0.05;

    private Comparisons() {}

    /// `{"series": [{"a": [VALUE...], "b": [VALUE...]}...]}`: for each, the ratio of B to A with its interval
    /// and a verdict, which is `unknown` unless it stands out among all.
    static void compare(Exchange exchange) {
        JsonNode series = exchange.body().path("series");
        if (!series.isArray() || series.size() > SERIES_MAX) {
            throw new RequestException(
                    400, "The field 'series' is not an array of at most 1,000 series; send one.");
        }
        List<Change> changes = new ArrayList<>();
        for (JsonNode one : series) {
            changes.add(Change.unpaired(values(one.path("a")), values(one.path("b"))));
        }
        double[] chances = changes.stream().mapToDouble(Change::pValue).toArray();
        boolean[] outstanding = Statistics.significant(chances, FALSE_DISCOVERY);
        ObjectNode json = Exchange.JSON.createObjectNode();
        ArrayNode all = json.putArray("changes");
        for (int i = 0; i < outstanding.length; i++) {
            Change change = changes.get(i);
            ObjectNode one = all.addObject().put("ratio", change.ratio().value());
            if (change.ratio().closed()) {
                one.put("low", change.ratio().low()).put("high", change.ratio().high());
            }
            boolean told = outstanding[i] || !change.differs();
            one.put("verdict", told ? change.verdict().name().toLowerCase(Locale.ROOT) : "unknown");
        }
        exchange.json(json);
    }

    private static double[] values(JsonNode values) {
        if (!values.isArray() || values.isEmpty() || values.size() > VALUES_MAX) {
            throw new RequestException(400, "A series has 1 to 1,000 values on each side.");
        }
        double[] numbers = new double[values.size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = values.get(i).asDouble();
            if (!(numbers[i] > 0) || Double.isInfinite(numbers[i])) {
                throw new RequestException(400, "A value is 0 or less; send values above 0.");
            }
        }
        return numbers;
    }
}

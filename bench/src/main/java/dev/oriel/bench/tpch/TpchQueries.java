package dev.oriel.bench.tpch;

import dev.oriel.bench.sql.SqlDialect;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The 22 questions of TPC-H with its values for validation.
public final class TpchQueries {
    /// The share of the stock's value in question 11, at a scale of 1.
    private static final BigDecimal FRACTION = new BigDecimal("0.0001");

    /// Columns, from 1, that are averages and quotients, by question.
    private static final Map<Integer, Set<Integer>> DIVIDED =
            Map.of(1, Set.of(7, 8, 9), 8, Set.of(2), 14, Set.of(1), 17, Set.of(1));

    private static final Pattern COMMON = Pattern.compile("(?s)WITH revenue .*?\\)\\n(?=SELECT)");
    private static final Pattern COMMON_PARTS =
            Pattern.compile("(?s)WITH (revenue \\(.*?\\)) AS\\s*\\((.*)\\)\\s*");

    private TpchQueries() {}

    /// The queries of `tpch.sql` unchanged, for a scale of a hundredth.
    public static List<String> all() throws IOException {
        try (InputStream in = TpchQueries.class.getResourceAsStream("tpch.sql")) {
            if (in == null) {
                throw new IOException("there is no tpch.sql");
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            List<String> queries = new ArrayList<>();
            for (String part : text.split("(?m)^-- \\d+$", -1)) {
                if (part.contains("SELECT")) {
                    queries.add(part.strip());
                }
            }
            return queries;
        }
    }

    /// The columns of the answer to question `number` that are averages or quotients.
    static Set<Integer> divided(int number) {
        return DIVIDED.getOrDefault(number, Set.of());
    }

    /// The queries in a product's dialect, for data of that scale. Names of columns are given at the place that
    /// all products take them, and constants of question 6 are computed, since 0.06 + 0.01 is not 0.07 in floating
    /// point.
    static List<String> all(SqlDialect dialect, double scale) throws IOException {
        BigDecimal fraction = FRACTION.divide(BigDecimal.valueOf(scale)).stripTrailingZeros();
        List<String> queries = new ArrayList<>();
        for (String query : all()) {
            String portable =
                    query.replace("* 0.01\n", "* " + fraction.toPlainString() + "\n")
                            .replace("COUNT(o_orderkey)", "COUNT(o_orderkey) AS c_count")
                            .replace("AS c_orders (c_custkey, c_count)", "AS c_orders")
                            .replace("0.06 - 0.01", "0.05")
                            .replace("0.06 + 0.01", "0.07");
            if (dialect == SqlDialect.DERBY) {
                portable = COMMON.matcher(portable).replaceAll("");
            }
            queries.add(dialect.translate(portable));
        }
        return queries;
    }

    /// Definitions needed before the queries: a view, if there is no `WITH`.
    static List<String> definitions(SqlDialect dialect) throws IOException {
        if (dialect != SqlDialect.DERBY) {
            return List.of();
        }
        List<String> definitions = new ArrayList<>();
        for (String query : all()) {
            Matcher common = COMMON.matcher(query);
            if (common.find()) {
                Matcher parts = COMMON_PARTS.matcher(common.group());
                if (!parts.matches()) {
                    throw new IllegalStateException(common.group());
                }
                definitions.add(
                        dialect.translate(
                                "CREATE VIEW " + parts.group(1) + " AS " + parts.group(2)));
            }
        }
        return definitions;
    }
}

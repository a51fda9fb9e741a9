package dev.oriel.conformance.random;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// How forms are written for one database, where it is another way than ours.
///
/// @param forms by the form, or by the form after the sort of what it makes and a colon
record Dialect(String name, Map<String, String> forms) {
    static final Dialect ORIEL = new Dialect("oriel", Map.of());

    /// Ours, over the copies of the tables that have no keys.
    static final Dialect WITHOUT_KEYS =
            new Dialect("without keys", Map.of(Queries.TABLE, Schema.PLAIN + "$1 "));

    /// Ours with numbers that do not overflow: what it answers is what counts where a value is too large
    /// that the answer has no use for.
    static final Dialect WIDE = new Dialect("wide", wide());

    private static Map<String, String> wide() {
        Map<String, String> forms = new HashMap<>();
        for (Sort sort : List.of(Sort.INTEGER, Sort.BIGINT, Sort.DOUBLE)) {
            for (String operator : List.of("+", "-", "*")) {
                String exact = "CAST($1 AS DECIMAL) " + operator + " CAST($2 AS DECIMAL)";
                forms.put(
                        sort + ":($1 " + operator + " $2)",
                        sort == Sort.DOUBLE ? bounded(exact) : "(" + exact + ")");
            }
            forms.put(
                    sort + ":" + Form.DIVIDED,
                    sort == Sort.DOUBLE
                            ? "(CAST($1 AS DECIMAL) / NULLIF(CAST($2 AS DECIMAL), 0))"
                            : "DIV(CAST($1 AS DECIMAL), NULLIF(CAST($2 AS DECIMAL), 0))");
        }
        forms.put("CAST($1 AS BIGINT)", "CAST($1 AS DECIMAL)");
        forms.put("CAST($1 AS DECIMAL(14, 2))", "CAST($1 AS DECIMAL)");
        return Map.copyOf(forms);
    }

    /// A DOUBLE, of which those beyond the largest one are the largest: in most databases they are infinite.
    private static String bounded(String exact) {
        return "CASE WHEN $1 IS NULL OR $2 IS NULL THEN NULL ELSE CAST(LEAST(GREATEST("
                + exact
                + ", CAST(-1.7E308 AS DECIMAL)), CAST(1.7E308 AS DECIMAL)) AS DOUBLE PRECISION) END";
    }

    /// What is written for `form`, which makes a `sort`.
    String form(Sort sort, String form) {
        return forms.getOrDefault(sort + ":" + form, forms.getOrDefault(form, form));
    }
}

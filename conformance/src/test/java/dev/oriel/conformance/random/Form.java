package dev.oriel.conformance.random;

import static dev.oriel.conformance.random.Sort.BIGINT;
import static dev.oriel.conformance.random.Sort.BOOLEAN;
import static dev.oriel.conformance.random.Sort.DATE;
import static dev.oriel.conformance.random.Sort.DECIMAL;
import static dev.oriel.conformance.random.Sort.DOUBLE;
import static dev.oriel.conformance.random.Sort.INTEGER;
import static dev.oriel.conformance.random.Sort.PATTERN;
import static dev.oriel.conformance.random.Sort.SMALL;
import static dev.oriel.conformance.random.Sort.TEXT;
import static dev.oriel.conformance.random.Sort.TIMESTAMP;

import java.util.ArrayList;
import java.util.List;

/// An expression's form, and what stands in its holes.
///
/// @param ours whether other databases are not asked, because hardly one has it
record Form(boolean ours, String text, Sort result, List<Sort> takes) {
    static final String DIVIDED = "($1 / NULLIF($2, 0))";

    /// Not written as a difference of numbers is, so that dialects can tell.
    static final String DAYS_APART = "($1 -$2)";

    private static final List<Form> ALL = all();

    /// The forms whose result is of `sort`.
    static List<Form> of(Sort sort, boolean ours) {
        return ALL.stream().filter(form -> form.result == sort && (ours || !form.ours)).toList();
    }

    private static Form common(String text, Sort result, Sort... takes) {
        return new Form(false, text, result, List.of(takes));
    }

    private static Form ours(String text, Sort result, Sort... takes) {
        return new Form(true, text, result, List.of(takes));
    }

    private static List<Form> all() {
        List<Form> all = new ArrayList<>();
        for (Sort sort : Sort.VALUES) {
            all.add(common("COALESCE($1, $2)", sort, sort, sort));
            all.add(common("NULLIF($1, $2)", sort, sort, sort));
            all.add(common("CASE WHEN $1 THEN $2 ELSE $3 END", sort, BOOLEAN, sort, sort));
            all.add(common("CASE WHEN $1 THEN $2 END", sort, BOOLEAN, sort));
            all.add(
                    common(
                            "CASE WHEN $1 THEN $2 WHEN $3 THEN $4 ELSE $5 END",
                            sort,
                            BOOLEAN,
                            sort,
                            BOOLEAN,
                            sort,
                            sort));
            all.add(common("CASE $1 WHEN $2 THEN $3 END", sort, TEXT, TEXT, sort));
            if (sort != BOOLEAN) {
                all.add(common("GREATEST($1, $2)", sort, sort, sort));
                all.add(common("LEAST($1, $2, $3)", sort, sort, sort, sort));
            }
        }
        for (Sort number : Sort.NUMBERS) {
            for (String operator : List.of("+", "-", "*")) {
                all.add(common("($1 " + operator + " $2)", number, number, number));
            }
            all.add(common("(- $1)", number, number));
            all.add(common("ABS($1)", number, number));
            for (Sort narrower : Sort.NUMBERS.subList(0, Sort.NUMBERS.indexOf(number))) {
                all.add(common("CAST($1 AS " + number.type + ")", number, narrower));
                all.add(common("($1 + $2)", number, number, narrower));
            }
            // How many digits a quotient of decimals has is every database's own choice.
            boolean ours = number == DECIMAL;
            all.add(new Form(ours, DIVIDED, number, List.of(number, number)));
        }
        numbers(all);
        texts(all);
        truths(all);
        moments(all);
        return List.copyOf(all);
    }

    private static void numbers(List<Form> all) {
        all.add(common("MOD($1, NULLIF($2, 0))", INTEGER, INTEGER, INTEGER));
        all.add(common("MOD($1, NULLIF($2, 0))", BIGINT, BIGINT, INTEGER));
        all.add(common("LENGTH($1)", INTEGER, TEXT));
        all.add(common("POSITION($1 IN $2)", INTEGER, TEXT, TEXT));
        all.add(common("SIGN($1)", INTEGER, INTEGER));
        all.add(common("CAST($1 AS INTEGER)", INTEGER, BOOLEAN));
        all.add(common("CAST(EXTRACT(YEAR FROM $1) AS INTEGER)", INTEGER, DATE));
        all.add(common("CAST(EXTRACT(MONTH FROM $1) AS INTEGER)", INTEGER, TIMESTAMP));
        all.add(common(DAYS_APART, INTEGER, DATE, DATE));
        all.add(common("ROUND($1, 1)", DECIMAL, DECIMAL));
        all.add(common("FLOOR($1)", DECIMAL, DECIMAL));
        all.add(common("CEIL($1)", DECIMAL, DECIMAL));
        all.add(common("FLOOR($1)", DOUBLE, DOUBLE));
        all.add(ours("CAST($1 AS INTEGER)", INTEGER, DECIMAL));
        all.add(ours("CAST($1 AS BIGINT)", BIGINT, DOUBLE));
        all.add(ours("ASCII($1)", INTEGER, TEXT));
        all.add(ours("BITAND($1, $2)", INTEGER, INTEGER, INTEGER));
        all.add(ours("GCD($1, $2)", BIGINT, INTEGER, INTEGER));
        all.add(ours("TRUNC($1, 1)", DECIMAL, DECIMAL));
        all.add(ours("SQRT(ABS($1))", DOUBLE, DOUBLE));
        all.add(ours("CAST($1 AS DECIMAL(14, 2))", DECIMAL, DOUBLE));
        all.add(ours("CARDINALITY(ARRAY[$1, $2])", INTEGER, TEXT, TEXT));
        all.add(ours("(ARRAY[$1, $2])[$3]", INTEGER, INTEGER, INTEGER, SMALL));
        all.add(
                ours(
                        "JSON_VALUE(JSON_OBJECT('a' VALUE $1, 'b' VALUE $2), '$.a' RETURNING INTEGER)",
                        INTEGER,
                        INTEGER,
                        TEXT));
        all.add(
                ours(
                        "CAST(EXTRACT(DAY FROM ($1 - $2)) AS INTEGER)",
                        INTEGER,
                        TIMESTAMP,
                        TIMESTAMP));
        all.add(ours("NVL2($1, $2, $3)", INTEGER, TEXT, INTEGER, INTEGER));
        all.add(ours("DATEDIFF('month', $1, $2)", BIGINT, DATE, TIMESTAMP));
    }

    private static void texts(List<Form> all) {
        all.add(common("($1 || $2)", TEXT, TEXT, TEXT));
        all.add(common("LOWER($1)", TEXT, TEXT));
        all.add(common("UPPER($1)", TEXT, TEXT));
        all.add(common("TRIM($1)", TEXT, TEXT));
        all.add(common("LTRIM($1)", TEXT, TEXT));
        all.add(common("REPLACE($1, $2, $3)", TEXT, TEXT, TEXT, TEXT));
        all.add(common("SUBSTRING($1, 2, $2)", TEXT, TEXT, SMALL));
        all.add(common("LEFT($1, $2)", TEXT, TEXT, SMALL));
        all.add(common("RIGHT($1, $2)", TEXT, TEXT, SMALL));
        all.add(common("CAST($1 AS VARCHAR(60))", TEXT, INTEGER));
        all.add(common("CAST($1 AS VARCHAR(60))", TEXT, BIGINT));
        all.add(common("CAST($1 AS VARCHAR(60))", TEXT, DATE));
        all.add(common("LPAD($1, $2, 'x')", TEXT, TEXT, SMALL));
        all.add(common("REVERSE($1)", TEXT, TEXT));
        all.add(
                ours(
                        "JSON_VALUE(JSON_OBJECT('a' VALUE $1, 'b' VALUE $2), '$.b')",
                        TEXT,
                        INTEGER,
                        TEXT));
        all.add(ours("CONCAT($1, $2)", TEXT, TEXT, INTEGER));
        all.add(ours("CAST($1 AS VARCHAR(60))", TEXT, DOUBLE));
        all.add(ours("CAST($1 AS VARCHAR(60))", TEXT, TIMESTAMP));
        all.add(ours("CAST($1 AS VARCHAR(3))", TEXT, TEXT));
        all.add(ours("INITCAP($1)", TEXT, TEXT));
        all.add(ours("SPLIT_PART($1, $2, 1)", TEXT, TEXT, TEXT));
        all.add(ours("TO_CHAR($1, 'YYYY-MM')", TEXT, DATE));
        all.add(ours("REGEXP_REPLACE($1, '[a-c]', 'z')", TEXT, TEXT));
    }

    private static void truths(List<Form> all) {
        all.add(common("(NOT $1)", BOOLEAN, BOOLEAN));
        all.add(common("($1 AND $2)", BOOLEAN, BOOLEAN, BOOLEAN));
        all.add(common("($1 OR $2)", BOOLEAN, BOOLEAN, BOOLEAN));
        all.add(common("($1 AND $2)", BOOLEAN, BOOLEAN, BOOLEAN));
        all.add(common("($1 OR $2 OR $3)", BOOLEAN, BOOLEAN, BOOLEAN, BOOLEAN));
        for (String test : List.of("IS TRUE", "IS NOT TRUE", "IS FALSE", "IS NOT FALSE")) {
            all.add(common("($1 " + test + ")", BOOLEAN, BOOLEAN));
        }
        for (Sort sort : Sort.VALUES) {
            all.add(common("($1 IS NULL)", BOOLEAN, sort));
            all.add(common("($1 IS NOT NULL)", BOOLEAN, sort));
        }
        for (String like : List.of("LIKE", "NOT LIKE")) {
            all.add(common("($1 " + like + " $2)", BOOLEAN, TEXT, PATTERN));
        }
        all.add(ours("($1 LIKE $2)", BOOLEAN, TEXT, TEXT));
        all.add(ours("STARTS_WITH($1, $2)", BOOLEAN, TEXT, TEXT));
        all.add(ours("REGEXP_LIKE($1, '^[a-z]+$')", BOOLEAN, TEXT));
        all.add(ours("(($1, $2) = ($3, $4))", BOOLEAN, INTEGER, TEXT, INTEGER, TEXT));
        all.add(ours("(($1, $2) < ($3, $4))", BOOLEAN, INTEGER, DATE, BIGINT, DATE));
        all.add(ours("(($1, $2) >= ($3, $4))", BOOLEAN, TEXT, INTEGER, TEXT, DECIMAL));
        all.add(ours("(($1, $2) <> ($3, $4))", BOOLEAN, BIGINT, TEXT, INTEGER, TEXT));
        all.add(
                ours(
                        "(($1, $2) IN (($3, $4), ($5, $6)))",
                        BOOLEAN,
                        INTEGER,
                        TEXT,
                        INTEGER,
                        TEXT,
                        INTEGER,
                        TEXT));
        all.add(ours("($1 = ANY (ARRAY[$2, $3]))", BOOLEAN, INTEGER, INTEGER, INTEGER));
        all.add(ours("($1 - $2 > INTERVAL '1 month')", BOOLEAN, TIMESTAMP, TIMESTAMP));
        all.add(ours("CAST($1 AS BOOLEAN)", BOOLEAN, INTEGER));
    }

    private static void moments(List<Form> all) {
        all.add(common("($1 + $2)", DATE, DATE, SMALL));
        all.add(common("CAST($1 AS DATE)", DATE, TIMESTAMP));
        all.add(common("CAST($1 AS TIMESTAMP)", TIMESTAMP, DATE));
        all.add(common("DATE_TRUNC('month', $1)", TIMESTAMP, TIMESTAMP));
        all.add(ours("LAST_DAY($1)", DATE, DATE));
        all.add(ours("($1 - $2)", DATE, DATE, INTEGER));
        all.add(ours("($1 + INTERVAL '1 month 2 days')", TIMESTAMP, TIMESTAMP));
        all.add(ours("($1 - INTERVAL '1 month')", TIMESTAMP, TIMESTAMP));
        all.add(ours("($1 + $2 * INTERVAL '1 day')", TIMESTAMP, TIMESTAMP, SMALL));
        all.add(ours("DATEADD(HOUR, $1, $2)", TIMESTAMP, SMALL, TIMESTAMP));
    }
}

package dev.oriel.conformance.random;

import dev.oriel.conformance.random.Peer.Unlike;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The databases that answers are held against, with what is known of them. Each [Unlike] is about one
/// thing, and says why that database is no judge of it.
final class Peers {
    private static final String ARRAY_INDEX = "CREATE ARRAY INDEX $1";
    private static final String INDEX = "CREATE INDEX $1";
    private static final String POSITION = "POSITION($1 IN $2)";
    private static final String STRING_AGG = "STRING_AGG($1, '-' ORDER BY $1)";

    private static final Unlike NULLS_OF_EXTREMES =
            unlike(
                    "GREATEST and LEAST are NULL where an argument is",
                    form("GREATEST(").or(form("LEAST(")));
    private static final Unlike DAYS =
            unlike(
                    "Dates take no integers, and are no integer apart",
                    piece -> arithmetic(piece) && piece.parts().getFirst().sort() == Sort.DATE);

    private Peers() {}

    /// All that can be had here.
    static List<Peer> all() {
        List<Peer> peers = new ArrayList<>(List.of(sqlite(), h2(), hsqldb(), duckDb()));
        String url = postgresUrl();
        if (url != null) {
            peers.add(postgres(url));
        }
        return List.copyOf(peers);
    }

    /// Where a PostgreSQL is, which the script that started it says.
    static @Nullable String postgresUrl() {
        String url = System.getProperty("random.postgres", "");
        return url.isEmpty() ? null : url;
    }

    private static Peer sqlite() {
        Map<String, String> forms =
                Map.ofEntries(
                        Map.entry(ARRAY_INDEX, INDEX),
                        Map.entry("DATE $1", "$1"),
                        Map.entry("TIMESTAMP $1", "$1"),
                        Map.entry(POSITION, "INSTR($2, $1)"),
                        Map.entry("LEFT($1, $2)", "SUBSTR($1, 1, $2)"),
                        Map.entry("MOD($1, NULLIF($2, 0))", "($1 % NULLIF($2, 0))"),
                        Map.entry("BOOL_AND($1)", "MIN($1)"),
                        Map.entry("BOOL_OR($1)", "MAX($1)"),
                        Map.entry("($1) UNION ($2)", set("UNION")),
                        Map.entry("($1) UNION ALL ($2)", set("UNION ALL")),
                        Map.entry("($1) EXCEPT ($2)", set("EXCEPT")),
                        Map.entry("($1) INTERSECT ($2)", set("INTERSECT")));
        return new Peer(
                new Dialect("sqlite", forms),
                "jdbc:sqlite::memory:",
                List.of("PRAGMA case_sensitive_like = ON"),
                List.of(
                        unlike("It has no moments", piece -> piece.sort() == Sort.TIMESTAMP),
                        unlike("It has no arithmetic of dates", Peers::ofDates),
                        unlike("It computes decimals in binary", Peers::decimals),
                        unlike("It has no ANY and ALL", form("ANY ($2)").or(form("ALL ($2)"))),
                        unlike(
                                "It has no INTERSECT ALL and EXCEPT ALL",
                                form("INTERSECT ALL").or(form("EXCEPT ALL"))),
                        unlike("It has no grouping sets", Peers::groupingSets),
                        unlike(
                                "It lacks functions of text",
                                form("RIGHT(").or(form("LPAD(")).or(form("REVERSE("))),
                        NULLS_OF_EXTREMES));
    }

    private static String set(String operator) {
        return "SELECT * FROM ($1) " + operator + " SELECT * FROM ($2)";
    }

    private static Peer h2() {
        Map<String, String> forms = Map.of(ARRAY_INDEX, INDEX, POSITION, "LOCATE($1, $2)");
        return new Peer(
                new Dialect("h2", forms),
                "jdbc:h2:mem:",
                List.of(),
                List.of(
                        unlike("It has no FULL JOIN", form("FULL JOIN")),
                        unlike(
                                "It has no INTERSECT ALL and EXCEPT ALL",
                                form("INTERSECT ALL").or(form("EXCEPT ALL"))),
                        unlike("It has no grouping sets", Peers::groupingSets),
                        unlike("It has no REVERSE", form("REVERSE(")),
                        DAYS,
                        NULLS_OF_EXTREMES));
    }

    private static Peer hsqldb() {
        Map<String, String> forms =
                Map.of(
                        ARRAY_INDEX,
                        INDEX,
                        "$1",
                        "CAST($1 AS VARCHAR(60))",
                        "BOOL_AND($1)",
                        "EVERY($1)",
                        "BOOL_OR($1)",
                        "SOME($1)",
                        STRING_AGG,
                        "GROUP_CONCAT($1 ORDER BY $1 SEPARATOR '-')");
        return new Peer(
                new Dialect("hsqldb", forms),
                "jdbc:hsqldb:mem:random",
                List.of("DROP SCHEMA public CASCADE", "SET DATABASE COLLATION SQL_TEXT NO PAD"),
                List.of(
                        unlike("It has no windows but one", form(" OVER (")),
                        unlike("LPAD keeps the end of a long text in it", form("LPAD(")),
                        unlike("LIMIT 0 is no limit to it", form("LIMIT 0")),
                        unlike(
                                "Computed keys of grouping sets are NULL to it",
                                Peers::computedSets),
                        unlike(
                                "It takes a column after USING for that of both tables",
                                form("USING (id)")),
                        unlike("It sorts BOOLEAN among its own kind only", Peers::ofTruths),
                        unlike(
                                "Of unknown IS TRUE and IS FALSE are NULL to it",
                                form(" IS TRUE)")
                                        .or(form(" IS FALSE)"))
                                        .or(form(" IS NOT TRUE)"))
                                        .or(form(" IS NOT FALSE)"))),
                        unlike(
                                "It finds no rows where an index serves what is BETWEEN itself and"
                                        + " something",
                                Peers::betweenItself),
                        unlike("It has no DATE_TRUNC", form("DATE_TRUNC(")),
                        unlike(
                                "It does not take a BOOLEAN for a number",
                                piece ->
                                        piece.form().startsWith("CAST(")
                                                && piece.sort() == Sort.INTEGER
                                                && piece.parts().size() == 1
                                                && piece.parts().getFirst().sort() == Sort.BOOLEAN),
                        DAYS,
                        NULLS_OF_EXTREMES));
    }

    private static Peer duckDb() {
        String whole = "($1 // NULLIF($2, 0))";
        Map<String, String> forms =
                Map.of(
                        ARRAY_INDEX,
                        INDEX,
                        Sort.INTEGER + ":" + Form.DIVIDED,
                        whole,
                        Sort.BIGINT + ":" + Form.DIVIDED,
                        whole);
        return new Peer(
                new Dialect("duckdb", forms),
                "jdbc:duckdb:",
                List.of(),
                List.of(
                        unlike(
                                "EXISTS does not see the groups of grouping sets there",
                                piece ->
                                        piece.form().contains("EXISTS (")
                                                && piece.all().anyMatch(Peers::groupingSets)),
                        unlike(
                                "EXISTS finds nothing in a LEFT JOIN without pairs whose ON is about the"
                                        + " right side alone",
                                piece ->
                                        piece.form().contains("EXISTS (")
                                                && piece.all().anyMatch(form("LEFT JOIN")))));
    }

    private static Peer postgres(String url) {
        return new Peer(
                new Dialect("postgresql", Map.of(ARRAY_INDEX, INDEX)),
                url,
                List.of(
                        "SET client_min_messages = ERROR",
                        "DROP SCHEMA IF EXISTS public CASCADE",
                        "CREATE SCHEMA public"),
                List.of(
                        unlike(
                                "SIGN of an integer is a DOUBLE to it",
                                piece ->
                                        piece.form().startsWith("SIGN(")
                                                && piece.parts().getFirst().sort()
                                                        != Sort.DOUBLE)));
    }

    private static Unlike unlike(String reason, Predicate<Piece> of) {
        return new Unlike(reason, of);
    }

    private static Predicate<Piece> form(String part) {
        return piece -> piece.form().contains(part);
    }

    private static boolean arithmetic(Piece piece) {
        return piece.form().equals("($1 + $2)") || piece.form().equals(Form.DAYS_APART);
    }

    private static boolean ofDates(Piece piece) {
        return (arithmetic(piece) && piece.parts().getFirst().sort() == Sort.DATE)
                || piece.form().contains("EXTRACT(");
    }

    /// Whether truths are compared by their order, or tested against a list.
    private static boolean ofTruths(Piece piece) {
        return (piece.form().contains("BETWEEN") || piece.form().contains(" IN ("))
                && piece.parts().getFirst().sort() == Sort.BOOLEAN;
    }

    private static boolean betweenItself(Piece piece) {
        if (!piece.form().contains("BETWEEN")) {
            return false;
        }
        String operand = piece.parts().getFirst().toString();
        return piece.parts().stream().skip(1).anyMatch(bound -> bound.toString().contains(operand));
    }

    private static boolean groupingSets(Piece piece) {
        return piece.form().startsWith("ROLLUP")
                || piece.form().startsWith("CUBE")
                || piece.form().startsWith("GROUPING SETS");
    }

    private static boolean computedSets(Piece piece) {
        return groupingSets(piece)
                && piece.all().anyMatch(part -> part.sort().isValue() && !part.parts().isEmpty());
    }

    /// Whether a decimal is made of others, and not only chosen from them.
    private static boolean decimals(Piece piece) {
        if (piece.sort() != Sort.DECIMAL || piece.parts().isEmpty()) {
            return false;
        }
        String form = piece.form();
        return !(form.startsWith("CASE")
                || form.startsWith("COALESCE")
                || form.startsWith("NULLIF")
                || form.startsWith("MIN")
                || form.startsWith("MAX")
                || form.startsWith("$1"));
    }
}

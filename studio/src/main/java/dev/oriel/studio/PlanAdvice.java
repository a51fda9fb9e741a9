package dev.oriel.studio;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Advice on a statement, from its plan with times. It proposes an index for a filter that drops most rows or for
/// a sort with a row limit, statistics if the planner misjudged, and memory if rows were spilled. Each piece of
/// advice has the SQL to try.
///
/// Indexes are known by the text of the plan: `Filter (CONDITION)` above `TableScan TABLE AS ALIAS`. The plan does
/// not name schemas. Of several tables of one name, the one with the columns is meant; then the one that the
/// statement names with its schema; then the one of the default schema.
final class PlanAdvice {
    /// Number of rows below which reading all is fast enough.
    private static final int ROWS_MIN = 500;

    /// Greatest share of rows kept by a filter that an index helps.
    private static final double KEPT_MAX = 0.2;

    private static final int MISJUDGED = 10;

    private static final Pattern SCAN =
            Pattern.compile(
                    "(TableScan|KeyScan|IndexScan) (.+?)(?: AS (.+?))?(?: using (.+?))?(?: \\((.*)\\))?( descending)?");

    /// A column, quoted or not, and its comparison.
    private static final Pattern COMPARED =
            Pattern.compile(
                    "(?:\\w+\\.)?(\"(?:[^\"]|\"\")+\"|\\w+)\\s*(=|<=|>=|<(?!>)|>|BETWEEN|IN|IS NULL|LIKE)");

    private static final Pattern LITERAL = Pattern.compile("'(?:[^']|'')*'");

    private final Questions questions;
    private final Connection connection;
    private final String sql;
    private final ArrayNode advice = JsonNodeFactory.instance.arrayNode();
    private final Set<String> said = new LinkedHashSet<>();

    /// @param sql the statement whose plan this is
    PlanAdvice(Questions questions, Connection connection, String sql) {
        this.questions = questions;
        this.connection = connection;
        this.sql = sql;
    }

    /// A table that a plan reads, and the columns by which its index, if any, finds rows.
    private record Scan(String table, List<String> by) {
        static @Nullable Scan of(JsonNode node) {
            Matcher match = SCAN.matcher(node.path("operator").asText());
            if (!match.matches()) {
                return null;
            }
            List<String> by = new ArrayList<>();
            if (match.group(5) != null) {
                compared(match.group(5), true).forEach(by::add);
            }
            return new Scan(match.group(2), by);
        }
    }

    /// Advice on a plan that was run: `[{"sentence", "sql", "index"?: {"table", "columns"}}]`.
    ArrayNode of(JsonNode plan) throws SQLException, IOException {
        for (JsonNode root : plan.path("plan")) {
            look(root, false);
        }
        return advice;
    }

    private void look(JsonNode node, boolean limited) throws SQLException, IOException {
        String operator = node.path("operator").asText();
        if (operator.startsWith("Filter (")) {
            filter(node, operator);
        }
        if (limited && operator.startsWith("Sort (")) {
            sort(node, operator);
        }
        misjudged(node, operator);
        if (node.path("put_aside_bytes").asLong() > 0) {
            say(
                    String.format(
                            Locale.ROOT,
                            "%s put %,d bytes aside to files; more memory would keep them.",
                            operator,
                            node.path("put_aside_bytes").asLong()),
                    "SET query_bytes_max TO "
                            + 4 * Math.max(1 << 24, node.path("memory_bytes").asLong()),
                    null,
                    List.of());
        }
        boolean first =
                operator.startsWith("Limit (") || (limited && operator.startsWith("Project"));
        for (JsonNode input : node.path("inputs")) {
            look(input, first);
        }
    }

    private void filter(JsonNode node, String operator) throws SQLException, IOException {
        JsonNode input = node.path("inputs").path(0);
        Scan scan = Scan.of(input);
        long read = input.path("rows").asLong();
        long kept = node.path("rows").asLong();
        if (scan == null || read < ROWS_MIN || kept > KEPT_MAX * read) {
            return;
        }
        String condition = operator.substring("Filter (".length(), operator.length() - 1);
        Set<String> columns = new LinkedHashSet<>(scan.by());
        columns.addAll(compared(condition, true));
        compared(condition, false).stream().limit(1).forEach(columns::add);
        TableName table = table(scan.table(), columns);
        List<String> known = columnsOf(table, columns);
        if (!known.isEmpty() && known.size() > scan.by().size() && !isIndexed(table, known)) {
            index(
                    table,
                    known,
                    String.format(
                            Locale.ROOT,
                            "%,d rows of %s are read to keep %,d: an index would find these.",
                            read,
                            scan.table(),
                            kept));
        }
    }

    private void sort(JsonNode node, String operator) throws SQLException, IOException {
        JsonNode below = node.path("inputs").path(0);
        while (below.path("operator").asText().startsWith("Project (")) {
            below = below.path("inputs").path(0);
        }
        Scan scan = Scan.of(below);
        long read = below.path("rows").asLong();
        if (scan == null || !scan.by().isEmpty() || read < ROWS_MIN) {
            return;
        }
        Set<String> wanted = new LinkedHashSet<>();
        for (String key :
                operator.substring("Sort (".length(), operator.length() - 1).split(", ", -1)) {
            wanted.add(plain(key.replaceAll("( DESC)?( NULLS (FIRST|LAST))?$", "")));
        }
        TableName table = table(scan.table(), wanted);
        List<String> known = columnsOf(table, wanted);
        if (known.size() == wanted.size() && !isIndexed(table, known)) {
            index(
                    table,
                    known,
                    String.format(
                            Locale.ROOT,
                            "%,d rows of %s are sorted to return the first: an index has them in order.",
                            read,
                            scan.table()));
        }
    }

    private void misjudged(JsonNode node, String operator) throws SQLException {
        Scan scan = Scan.of(node);
        long estimated = node.path("rows_estimated").asLong();
        long rows = node.path("rows").asLong() / Math.max(1, node.path("loops").asLong());
        if (scan != null && estimated > 0 && rows >= ROWS_MIN && rows >= MISJUDGED * estimated) {
            say(
                    String.format(
                            Locale.ROOT,
                            "%s returned %,d rows and not ~%,d: new statistics would tell the planner.",
                            operator,
                            rows,
                            estimated),
                    "ANALYZE " + table(scan.table(), Set.of()).sql(),
                    null,
                    List.of());
        }
    }

    private void index(TableName table, List<String> columns, String sentence) {
        say(sentence, indexSql("", table, columns), table, columns);
    }

    /// `CREATE INDEX NAME ON TABLE (COLUMNS)`; an empty name is left to the database's user.
    static String indexSql(String name, TableName table, List<String> columns) {
        String called = name.isEmpty() ? table.name() + "_" + String.join("_", columns) : name;
        return "CREATE INDEX "
                + Names.quoted(called)
                + " ON "
                + table.sql()
                + " ("
                + String.join(", ", columns.stream().map(Names::quoted).toList())
                + ")";
    }

    private void say(String sentence, String sql, @Nullable TableName table, List<String> columns) {
        if (!said.add(sql)) {
            return;
        }
        ObjectNode one = advice.addObject().put("sentence", sentence).put("sql", sql);
        if (table != null) {
            ObjectNode index = one.putObject("index");
            index.put("schema", table.schema()).put("table", table.name());
            columns.forEach(index.putArray("columns")::add);
        }
    }

    /// Names on the left of comparisons in a condition; of equalities, or of others.
    private static Set<String> compared(String condition, boolean equal) {
        Set<String> names = new LinkedHashSet<>();
        Matcher match = COMPARED.matcher(LITERAL.matcher(condition).replaceAll("''"));
        while (match.find()) {
            boolean equality = "=".equals(match.group(2)) || "IN".equals(match.group(2));
            if (equality == equal) {
                names.add(plain(match.group(1)));
            }
        }
        return names;
    }

    private static String plain(String name) {
        String own = name.strip();
        return own.startsWith("\"")
                ? own.substring(1, own.length() - 1).replace("\"\"", "\"")
                : own.substring(own.lastIndexOf('.') + 1);
    }

    /// The table of this name that the statement means.
    private TableName table(String name, Set<String> columns) throws SQLException {
        TableName best = new TableName("", name);
        int most = -1;
        DatabaseMetaData metadata = connection.getMetaData();
        String pattern = best.namePattern(metadata);
        try (ResultSet rows = metadata.getTables(null, null, pattern, null)) {
            while (rows.next()) {
                TableName one = new TableName(rows.getString("TABLE_SCHEM"), name);
                int fits = 4 * columnsOf(one, columns).size();
                fits += isQualified(one) ? 2 : 0;
                fits += one.schema().equalsIgnoreCase(TableName.PUBLIC) ? 1 : 0;
                if (fits > most) {
                    most = fits;
                    best = one;
                }
            }
        }
        return best;
    }

    private boolean isQualified(TableName table) {
        String plain = sql.replace("\"", "").toLowerCase(Locale.ROOT);
        String name = (table.schema() + "." + table.name()).toLowerCase(Locale.ROOT);
        return Pattern.compile("(?<![\\w.])" + Pattern.quote(name) + "(?!\\w)")
                .matcher(plain)
                .find();
    }

    /// The names in `wanted` that are columns of the table, in the table's spelling.
    private List<String> columnsOf(TableName table, Set<String> wanted) throws SQLException {
        Set<String> columns = new LinkedHashSet<>();
        DatabaseMetaData metadata = connection.getMetaData();
        try (ResultSet rows =
                metadata.getColumns(
                        null, table.schemaPattern(metadata), table.namePattern(metadata), null)) {
            while (rows.next()) {
                columns.add(rows.getString("COLUMN_NAME"));
            }
        }
        return wanted.stream().filter(columns::contains).toList();
    }

    /// Whether an index or the primary key begins with these columns.
    private boolean isIndexed(TableName table, List<String> columns)
            throws SQLException, IOException {
        List<String> key = TableDescription.primaryKey(connection, table);
        if (key.size() >= columns.size() && key.subList(0, columns.size()).equals(columns)) {
            return true;
        }
        String wanted = String.join(", ", columns).toLowerCase(Locale.ROOT);
        for (JsonNode index : TableDescription.indexes(questions, connection, table)) {
            String has = index.path("columns").asText().toLowerCase(Locale.ROOT);
            if ((has + ", ").startsWith(wanted + ", ")) {
                return true;
            }
        }
        return false;
    }
}

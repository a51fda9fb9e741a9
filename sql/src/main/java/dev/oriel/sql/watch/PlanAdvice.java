package dev.oriel.sql.watch;

import dev.oriel.sql.measure.Analysis;
import dev.oriel.sql.measure.Analysis.Node;
import dev.oriel.sql.plan.Join;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.Quoting;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Advice on a statement, from its plan with the figures of a run. It proposes an index for a filter that drops most
/// rows, for a sort with a row limit and for a foreign key that reads all of its table. It proposes statistics if the
/// planner misjudged, and memory if rows were spilled. Each piece of advice has the SQL to try. Confined to one thread.
public final class PlanAdvice {
    /// Beginning of a filter's line in the plan.
    static final String FILTER = "Filter (";

    /// Number of rows below which reading all is fast enough.
    private static final int ROWS_MIN = 500;

    /// Greatest share of rows kept by a filter that an index helps.
    private static final double KEPT_MAX = 0.2;

    private static final int MISJUDGED = 10;

    /// A column as the whole key of a sort, quoted or not, and its direction.
    private static final Pattern SORT_KEY =
            Pattern.compile(
                    "(?:\\w+\\.)?(\"(?:[^\"]|\"\")+\"|\\w+)( DESC)?(?: NULLS (?:FIRST|LAST))?");

    private final List<PlanReport.Entry> entries;
    private final List<Advice> advice = new ArrayList<>();
    private final Set<String> said = new LinkedHashSet<>();

    private PlanAdvice(List<PlanReport.Entry> entries) {
        this.entries = entries;
    }

    /// A piece of advice.
    ///
    /// @param gain the evidence in short; empty if the sentence has it
    /// @param schema the schema of the table to index; empty if that is PUBLIC
    /// @param table the name of the table to index; empty if the advice is no index
    /// @param columns the columns to index
    record Advice(
            String sentence,
            String gain,
            String sql,
            String schema,
            String table,
            List<String> columns) {
        /// `Advice: CREATE INDEX ON orders (customer): 3 rows read instead of 1,000`.
        String line() {
            return "Advice: " + sql + ": " + (gain.isEmpty() ? sentence : gain);
        }
    }

    static List<Advice> of(List<PlanReport.Entry> entries, Analysis analysis) {
        PlanAdvice rules = new PlanAdvice(entries);
        for (int i = 0; i < entries.size(); i++) {
            rules.look(i);
        }
        for (Analysis.KeySearch search : analysis.keySearches()) {
            rules.foreignKey(search);
        }
        return rules.advice;
    }

    private void look(int at) {
        PlanReport.Entry entry = entries.get(at);
        Node node = entry.node();
        String text = entry.line().text();
        if (node == null) {
            return;
        }
        if (text.startsWith(FILTER)) {
            filter(at, node);
        }
        if (text.startsWith("Sort (") && isLimited(at)) {
            sort(at, text);
        }
        misjudged(entry, node);
        if (node.putAsideBytes > 0) {
            say(
                    new Advice(
                            String.format(
                                    Locale.ROOT,
                                    "%s put %,d bytes aside to files; more memory would keep them.",
                                    text,
                                    node.putAsideBytes),
                            "",
                            "SET query_bytes_max TO " + 4 * Math.max(1 << 24, node.memoryBytes),
                            "",
                            "",
                            List.of()));
        }
    }

    /// The entry of the first input of entry `at`; null if it has none.
    private PlanReport.@Nullable Entry input(int at) {
        PlanReport.Entry next = at + 1 < entries.size() ? entries.get(at + 1) : null;
        boolean below = next != null && next.line().depth() == entries.get(at).line().depth() + 1;
        return below ? next : null;
    }

    /// Whether a sort returns its first rows alone.
    private boolean isLimited(int at) {
        for (int i = at - 1, depth = entries.get(at).line().depth() - 1; i >= 0; i--) {
            if (entries.get(i).line().depth() == depth) {
                String text = entries.get(i).line().text();
                if (text.startsWith("Limit (")) {
                    return true;
                }
                if (!text.startsWith("Project")) {
                    return false;
                }
                depth--;
            }
        }
        return false;
    }

    /// The scan of an operator; null if it is none.
    static Plan.@Nullable Scan scan(PlanReport.@Nullable Entry entry) {
        Object key = entry == null ? null : entry.line().key();
        return switch (key) {
            case Plan.Scan scan -> scan;
            case Join.Source source when source.plan() instanceof Plan.Scan scan -> scan;
            case null, default -> null;
        };
    }

    private static boolean readsAll(Plan.Scan scan) {
        return scan.choices().isEmpty()
                && scan.among() == null
                && scan.bounds().equals(Plan.Bounds.NONE);
    }

    /// The columns whose values a scan looks up.
    private static List<String> lookedUp(Plan.Scan scan) {
        int equal = scan.keyColumns().size();
        for (Plan.Bounds part : scan.parts()) {
            equal = Math.min(equal, part.equal().size());
        }
        equal = scan.among() == null ? equal : Math.max(1, equal);
        List<String> names = new ArrayList<>();
        for (int column : scan.keyColumns().subList(0, equal)) {
            if (column < Plan.Scan.FIRST_TERM) {
                names.add(scan.table().columns().get(column).name());
            }
        }
        return names;
    }

    private static @Nullable Scalar condition(PlanReport.Entry entry) {
        return switch (entry.line().key()) {
            case Plan.Filter filter -> filter.condition();
            case Join.Filtered filtered -> filtered.condition();
            case Scalar scalar -> scalar;
            case null, default -> null;
        };
    }

    private void filter(int at, Node node) {
        PlanReport.Entry input = input(at);
        Plan.Scan scan = scan(input);
        Node below = input == null ? null : input.node();
        Scalar condition = condition(entries.get(at));
        if (input == null
                || scan == null
                || below == null
                || condition == null
                || below.caller != node
                || below.rows < ROWS_MIN
                || node.rows > KEPT_MAX * below.rows) {
            return;
        }
        Object key = input.line().key();
        String name = key instanceof Join.Source source ? source.name() : null;
        ComparedColumns compared = ComparedColumns.of(condition, scan.table(), name);
        List<String> by = lookedUp(scan);
        Set<String> columns = new LinkedHashSet<>(by);
        columns.addAll(compared.equal());
        compared.ranged().stream().limit(1).forEach(columns::add);
        List<String> known = List.copyOf(columns);
        if (known.size() > by.size() && !isIndexed(scan.table(), known)) {
            index(
                    scan.table(),
                    known,
                    String.format(
                            Locale.ROOT,
                            "%,d rows of %s are read to keep %,d: an index would find these.",
                            below.rows,
                            scan.table().name(),
                            node.rows),
                    instead(node.rows, below.rows));
        }
    }

    private static String instead(long rows, long read) {
        return String.format(
                Locale.ROOT, "%,d row%s read instead of %,d", rows, rows == 1 ? "" : "s", read);
    }

    private void sort(int at, String text) {
        int below = at + 1;
        while (below < entries.size() && entries.get(below).line().text().startsWith("Project (")) {
            below++;
        }
        PlanReport.Entry input = below < entries.size() ? entries.get(below) : null;
        Plan.Scan scan = scan(input);
        Node node = input == null ? null : input.node();
        if (scan == null || node == null || !readsAll(scan) || node.rows < ROWS_MIN) {
            return;
        }
        Set<String> wanted = new LinkedHashSet<>();
        Set<Boolean> directions = new HashSet<>();
        for (String key : text.substring("Sort (".length(), text.length() - 1).split(", ", -1)) {
            Matcher match = SORT_KEY.matcher(key);
            if (!match.matches()) {
                return; // an expression
            }
            wanted.add(plain(match.group(1)));
            directions.add(match.group(2) == null);
        }
        if (directions.size() > 1) {
            return; // an index is read in one direction
        }
        List<String> known = columnsOf(scan.table(), wanted);
        Node sorted = entries.get(at).node();
        if (known.size() == wanted.size() && !isIndexed(scan.table(), known)) {
            index(
                    scan.table(),
                    known,
                    String.format(
                            Locale.ROOT,
                            "%,d rows of %s are sorted to return the first: an index has them in order.",
                            node.rows,
                            scan.table().name()),
                    instead(sorted == null ? 0 : sorted.rows, node.rows));
        }
    }

    private void misjudged(PlanReport.Entry entry, Node node) {
        Plan.Scan scan = scan(entry);
        double estimated = entry.estimate();
        long rows = node.rows / Math.max(1, node.opens);
        if (scan != null
                && estimated >= 1
                && rows >= ROWS_MIN
                && rows >= MISJUDGED * Math.rint(estimated)) {
            say(
                    new Advice(
                            String.format(
                                    Locale.ROOT,
                                    "%s returned %,d rows and not ~%,.0f: new statistics would tell the planner.",
                                    entry.line().text(),
                                    rows,
                                    estimated),
                            "",
                            "ANALYZE " + name(scan.table()),
                            "",
                            "",
                            List.of()));
        }
    }

    private void foreignKey(Analysis.KeySearch search) {
        if (search.timesAll > 0 && search.rows >= ROWS_MIN) {
            List<String> columns =
                    search.key.columns().stream()
                            .map(column -> search.table.columns().get(column).name())
                            .toList();
            index(
                    search.table,
                    columns,
                    String.format(
                            Locale.ROOT,
                            "Foreign key %s read all of %s for each of %,d keys, %,d rows: an index would find these that refer.",
                            search.key.name(),
                            search.table.name(),
                            search.times,
                            search.rows),
                    String.format(
                            Locale.ROOT,
                            "foreign key %s looks up %,d keys instead of reading %,d rows",
                            search.key.name(),
                            search.times,
                            search.rows));
        }
    }

    private void index(Table table, List<String> columns, String sentence, String gain) {
        String sql =
                "CREATE INDEX ON "
                        + name(table)
                        + " ("
                        + String.join(", ", columns.stream().map(Quoting::name).toList())
                        + ")";
        say(new Advice(sentence, gain, sql, table.schema(), table.name(), columns));
    }

    private static String name(Table table) {
        String own = Quoting.name(table.name());
        return table.schema().isEmpty() ? own : Quoting.name(table.schema()) + "." + own;
    }

    private void say(Advice each) {
        if (said.add(each.sql())) {
            advice.add(each);
        }
    }

    private static String plain(String name) {
        return name.startsWith("\"")
                ? name.substring(1, name.length() - 1).replace("\"\"", "\"")
                : name;
    }

    /// The names in `wanted` that are columns of the table.
    private static List<String> columnsOf(Table table, Set<String> wanted) {
        Set<String> columns = new LinkedHashSet<>();
        table.columns().forEach(column -> columns.add(column.name()));
        return wanted.stream().filter(columns::contains).toList();
    }

    /// Whether an index or the primary key begins with these columns.
    private static boolean isIndexed(Table table, List<String> columns) {
        if (beginsWith(table, table.primaryKey(), columns)) {
            return true;
        }
        for (Index index : table.indexes()) {
            if (index.kind() != Index.Kind.SEARCH && beginsWith(table, index.columns(), columns)) {
                return true;
            }
        }
        return false;
    }

    private static boolean beginsWith(Table table, List<Integer> key, List<String> columns) {
        List<String> names =
                key.stream()
                        .limit(columns.size())
                        .map(column -> table.columns().get(column).name())
                        .toList();
        return names.equals(columns);
    }
}

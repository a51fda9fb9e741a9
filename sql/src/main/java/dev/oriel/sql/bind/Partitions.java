package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Quoting;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.syntax.Parser;
import dev.oriel.sql.syntax.PartitionBound;
import dev.oriel.sql.syntax.Renaming;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Check;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Constraints;
import dev.oriel.table.definition.EnumType;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Note;
import dev.oriel.table.definition.Partition;
import dev.oriel.table.definition.Partition.Strategy;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.definition.View;
import dev.oriel.table.value.Tuple;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The partitions of one table, in one catalog. The table stores all rows. A partition is a view of the rows within
/// its bound and the bounds above it, with a check option. A check of the table refuses rows that no partition
/// takes. Queries of views and the check are written anew after each change of a definition.
public final class Partitions {
    private static final String WHERE = " WHERE ";
    private static final String OUTSIDE = ") IS NOT TRUE OR (";

    private final Catalog catalog;
    private final Table table;
    private final Partition root;

    /// Partitions of the places asked for so far, by number.
    private final Map<Long, List<Child>> known = new HashMap<>();

    /// Likewise the conditions on their keys.
    private final Map<Long, PartitionConditions> written = new HashMap<>();

    private Partitions(Catalog catalog, Table table, Partition root) {
        this.catalog = catalog;
        this.table = table;
        this.root = root;
    }

    /// A partition with its bound.
    private record Child(Partition place, KeyBound bound) {}

    /// The partitions of `table`; null if it is not partitioned.
    public static @Nullable Partitions of(Catalog catalog, Table table) {
        Partition root = catalog.partition(table.id());
        return root == null ? null : new Partitions(catalog, table, root);
    }

    /// The partitions of the table that `place` belongs to.
    public static Partitions around(Catalog catalog, Partition place) {
        Table table = catalog.storing(place);
        Partitions found = table == null ? null : of(catalog, table);
        if (found == null) {
            throw new IllegalStateException("a partition has lost its table");
        }
        return found;
    }

    /// The table that stores the rows.
    public Table table() {
        return table;
    }

    /// Types of the key of `place`.
    private List<Type> types(Partition place) {
        return place.key().stream().map(text -> TableExpressions.term(table, text).type()).toList();
    }

    private PartitionConditions conditions(Partition place) {
        PartitionConditions found = written.get(place.of());
        if (found == null) {
            found = onKey(place);
            written.put(place.of(), found);
        }
        return found;
    }

    private PartitionConditions onKey(Partition place) {
        List<String> key = new ArrayList<>();
        List<Type> types = types(place);
        for (String text : place.key()) {
            Type type = types.get(key.size());
            boolean hashed = place.strategy() == Strategy.HASH;
            if (hashed && type.name() == Type.Name.TIMESTAMP_TZ) {
                key.add("EXTRACT(EPOCH FROM " + text + ")"); // its text depends on the session
            } else if (hashed && Typing.isFolded(type)) {
                key.add(Function.FOLD_CASE.written(text));
            } else {
                key.add(column(text) >= 0 ? text : "(" + text + ")");
            }
        }
        return new PartitionConditions(place.strategy(), key);
    }

    private int column(String text) {
        return column(table.columns(), text);
    }

    /// The column that the key expression `text` is; -1 if it is computed.
    public static int column(List<Column> columns, String text) {
        for (int i = 0; i < columns.size(); i++) {
            if (Quoting.name(columns.get(i).name()).equals(text)) {
                return i;
            }
        }
        return -1;
    }

    private List<Child> children(Partition place) {
        List<Child> found = known.get(place.of());
        if (found == null) {
            found = bound(place);
            known.put(place.of(), found);
        }
        return found;
    }

    private List<Child> bound(Partition place) {
        List<Child> children = new ArrayList<>();
        List<Type> types = types(place);
        for (Partition child : catalog.partitions(place.of())) {
            SqlText text = new SqlText(child.bound());
            Execution constant = new Execution(InstantSource.fixed(Instant.EPOCH), new Tuple(0));
            KeyBound bound =
                    new KeyBoundBinder(text, catalog, constant)
                            .bind(Parser.bound(text), place.strategy(), types);
            children.add(new Child(child, bound));
        }
        return List.copyOf(children);
    }

    private static List<KeyBound> bounds(List<Child> children) {
        return children.stream().map(Child::bound).toList();
    }

    /// Text of the bound that a new partition of `place` gets from `wanted`.
    ///
    /// @throws SqlException if it meets that of another partition
    public String bound(
            SqlText source,
            Partition place,
            PartitionBound wanted,
            String name,
            Execution execution) {
        KeyBound bound =
                new KeyBoundBinder(source, catalog, execution)
                        .bind(wanted, place.strategy(), types(place));
        for (Child other : children(place)) {
            boolean meets =
                    switch (bound) {
                        case KeyBound.Range range ->
                                other.bound instanceof KeyBound.Range own && range.overlaps(own);
                        case KeyBound.Listed list ->
                                other.bound instanceof KeyBound.Listed own
                                        && list.values().stream().anyMatch(own::holds);
                        case KeyBound.Remainder hash ->
                                other.bound instanceof KeyBound.Remainder own
                                        && meets(source, wanted, hash, own);
                        case KeyBound.Rest _ -> other.bound instanceof KeyBound.Rest;
                    };
            if (meets) {
                throw source.error(
                        Kind.OBJECT_DEFINITION,
                        wanted.position(),
                        "The bound of \""
                                + name
                                + "\" overlaps that of \""
                                + name(other.place)
                                + "\"; choose another one, or detach that partition first");
            }
        }
        return bound.text();
    }

    private static boolean meets(
            SqlText source,
            PartitionBound wanted,
            KeyBound.Remainder hash,
            KeyBound.Remainder other) {
        long larger = Math.max(hash.modulus(), other.modulus());
        long smaller = Math.min(hash.modulus(), other.modulus());
        if (larger % smaller != 0) {
            throw source.error(
                    Kind.OBJECT_DEFINITION,
                    wanted.position(),
                    "Another partition has the modulus "
                            + other.modulus()
                            + "; choose a factor or a multiple of it");
        }
        return hash.overlaps(other);
    }

    /// The DEFAULT partition of `place`; null if there is none.
    public @Nullable Partition rest(Partition place) {
        for (Partition child : catalog.partitions(place.of())) {
            if (child.bound().equals(new KeyBound.Rest().text())) {
                return child;
            }
        }
        return null;
    }

    /// The condition of the rows that a new partition of `place` would take from the DEFAULT partition.
    public String taken(Partition place, String bound) {
        SqlText text = new SqlText(bound);
        Execution constant = new Execution(InstantSource.fixed(Instant.EPOCH), new Tuple(0));
        KeyBound values =
                new KeyBoundBinder(text, catalog, constant)
                        .bind(Parser.bound(text), place.strategy(), types(place));
        return conditions(place).of(values, List.of());
    }

    /// Name of the table or view of `place`.
    public String name(Partition place) {
        View view = catalog.view(place.of());
        return place.isRoot() ? table.name() : view == null ? "" : view.name();
    }

    /// The condition of the rows of the partition `place`, those of the bounds above it first.
    public String condition(Partition place) {
        return String.join(" AND ", terms(place));
    }

    private List<String> terms(Partition place) {
        Partition parent = place.isRoot() ? null : catalog.partition(place.parent());
        if (parent == null) {
            return new ArrayList<>();
        }
        List<String> terms = terms(parent);
        List<Child> siblings = children(parent);
        for (Child child : siblings) {
            if (child.place.id() == place.id()) {
                boolean rest = child.bound instanceof KeyBound.Rest;
                List<KeyBound> others = rest ? bounds(siblings) : List.of();
                terms.add(conditions(parent).of(child.bound, others));
            }
        }
        return terms;
    }

    /// The condition that a partition takes a row within the bound of `place`.
    private String takes(Partition place) {
        if (place.strategy() == Strategy.NONE) {
            return PartitionConditions.TRUE;
        }
        PartitionConditions conditions = conditions(place);
        List<Child> children = children(place);
        List<KeyBound> all = new ArrayList<>();
        StringBuilder cases = new StringBuilder();
        String otherwise = PartitionConditions.FALSE;
        for (Child child : children) {
            String below = takes(child.place);
            if (child.bound instanceof KeyBound.Rest) {
                otherwise = below;
            } else if (below.equals(PartitionConditions.TRUE)) {
                all.add(child.bound);
            } else {
                cases.append(" WHEN ")
                        .append(conditions.of(child.bound, List.of()))
                        .append(" THEN ")
                        .append(below);
            }
        }
        String whole = conditions.any(all);
        if (cases.isEmpty() && whole.equals(PartitionConditions.TRUE)) {
            return PartitionConditions.TRUE;
        } else if (cases.isEmpty() && otherwise.equals(PartitionConditions.FALSE)) {
            return "(" + whole + ")";
        } else if (cases.isEmpty()
                && (whole.equals(PartitionConditions.FALSE)
                        || otherwise.equals(PartitionConditions.TRUE))) {
            return otherwise;
        }
        String first =
                whole.equals(PartitionConditions.FALSE) ? "" : " WHEN " + whole + " THEN TRUE";
        return "CASE" + first + cases + " ELSE " + otherwise + " END";
    }

    /// Expression of the number of the partition without others that has a row of `place`.
    String number(Partition place) {
        if (place.strategy() == Strategy.NONE) {
            return Long.toString(PgCatalog.oid(place.of()));
        }
        StringBuilder cases = new StringBuilder();
        String otherwise = "NULL";
        for (Child child : children(place)) {
            String below = number(child.place);
            if (child.bound instanceof KeyBound.Rest) {
                otherwise = below;
            } else {
                cases.append(" WHEN ")
                        .append(conditions(place).of(child.bound, List.of()))
                        .append(" THEN ")
                        .append(below);
            }
        }
        return cases.isEmpty() ? otherwise : "CASE" + cases + " ELSE " + otherwise + " END";
    }

    private @Nullable Check routing() {
        String takes = takes(root);
        return takes.equals(PartitionConditions.TRUE)
                ? null
                : Check.routing("(" + takes + ") IS TRUE");
    }

    /// Writes the views of all partitions, and the checks of their tables, as the definitions now are.
    public static void refresh(TableTransaction transaction) {
        for (Note note : transaction.catalog().notes().values()) {
            if (note instanceof Partition place && place.isRoot()) {
                Table table = transaction.catalog().table(place.of());
                if (table != null) {
                    new Partitions(transaction.catalog(), table, place).write(transaction);
                }
            }
        }
    }

    private void write(TableTransaction transaction) {
        Constraints constraints = table.constraints().withRouting(routing());
        if (!constraints.equals(table.constraints())) {
            transaction.redefine(table.withConstraints(constraints), null);
        }
        for (Partition child : below(root)) {
            View view = catalog.view(child.of());
            if (view == null) {
                continue;
            }
            List<String> columns = new ArrayList<>();
            for (String column : view.columns()) {
                if (table.column(column) >= 0) {
                    columns.add(column);
                }
            }
            for (Column column : table.columns()) {
                if (columns.stream().noneMatch(column.name()::equalsIgnoreCase)) {
                    columns.add(column.name());
                }
            }
            View wanted = view.withPart(columns, query(child, columns));
            if (!wanted.equals(view)) {
                transaction.create(wanted);
                String before = selected(columns) + WHERE;
                if (view.query().startsWith(before)) {
                    rewrite(transaction, view.id(), view.query().substring(before.length()));
                }
            }
        }
    }

    /// An empty view with the columns of `place`, for its own rows without those of partitions.
    View without(Partition place) {
        View view = catalog.view(place.of());
        List<String> columns =
                view == null ? table.columns().stream().map(Column::name).toList() : view.columns();
        String query = selected(columns) + WHERE + PartitionConditions.FALSE;
        return new View(
                -place.of(),
                name(place),
                columns,
                columns,
                query,
                view == null ? table.schema() : view.schema(),
                View.CheckOption.NONE);
    }

    private String selected(List<String> columns) {
        List<String> names = columns.stream().map(Quoting::name).toList();
        boolean bare = table.schema().isEmpty() || table.temporary();
        return "SELECT "
                + String.join(", ", names)
                + " FROM "
                + (bare ? "" : Quoting.name(table.schema()) + ".")
                + Quoting.name(table.name());
    }

    private String query(Partition place, List<String> columns) {
        return selected(columns) + WHERE + condition(place);
    }

    /// All places below `place`, each before those below it.
    public List<Partition> below(Partition place) {
        List<Partition> below = new ArrayList<>();
        for (Partition child : catalog.partitions(place.of())) {
            below.add(child);
            below.addAll(below(child));
        }
        return below;
    }

    /// Renames a column in keys and views, after it was renamed in the table.
    ///
    /// @param conditions by the numbers of views, as in [#conditions()] before
    public static void renameColumn(
            TableTransaction transaction,
            Table table,
            String from,
            String to,
            Map<Long, String> conditions) {
        Partitions own = of(transaction.catalog(), table);
        if (own == null) {
            return;
        }
        for (Partition place : own.all()) {
            List<String> key = new ArrayList<>();
            for (String text : place.key()) {
                key.add(
                        text.equals(Quoting.name(from))
                                ? Quoting.name(to)
                                : Renaming.column(text, from, to));
            }
            transaction.create(place.withKey(key));
            View view = own.catalog.view(place.of());
            if (view != null) {
                List<String> columns =
                        view.columns().stream()
                                .map(name -> name.equalsIgnoreCase(from) ? to : name)
                                .toList();
                transaction.create(view.withPart(columns, view.query()));
            }
        }
        refresh(transaction);
        Partitions now = of(transaction.catalog(), table(transaction, table));
        if (now != null) {
            conditions.forEach((view, text) ->
                    now.rewrite(transaction, view, Renaming.column(text, from, to)));
        }
    }

    private static Table table(TableTransaction transaction, Table table) {
        Table now = transaction.catalog().table(table.id());
        return now == null ? table : now;
    }

    /// The conditions of all partitions, by the numbers of their views.
    public Map<Long, String> conditions() {
        Map<Long, String> conditions = new HashMap<>();
        below(root).forEach(place -> conditions.put(place.of(), condition(place)));
        return conditions;
    }

    /// Rewrites the checks and indexes of the partition `view` alone to begin with its present condition instead of
    /// `before`.
    private void rewrite(TableTransaction transaction, long view, String before) {
        Partition place = catalog.partition(view);
        String after = place == null ? before : condition(place);
        Table now = table(transaction, table);
        List<Check> checks = new ArrayList<>();
        for (Check check : now.constraints().checks()) {
            String text = check.expression();
            checks.add(
                    ownCheck(before, check) == null
                            ? check
                            : new Check(
                                    check.name(),
                                    "(" + after + text.substring(before.length() + 1)));
        }
        List<Index> indexes = new ArrayList<>();
        for (Index index : now.indexes()) {
            Index.Terms terms = index.terms();
            String text = terms == null ? null : terms.condition();
            indexes.add(
                    terms != null && text != null && isRestricted(before, text)
                            ? index.withTerms(
                                    new Index.Terms(
                                            terms.expressions(),
                                            terms.types(),
                                            restricted(after, rest(before, text))))
                            : index);
        }
        Table changed =
                now.withIndexes(indexes).withConstraints(now.constraints().withChecks(checks));
        if (!changed.equals(now)) {
            transaction.redefine(changed, null);
        }
    }

    /// The expression of a check of the table that demands `text` of the rows of one partition.
    ///
    /// @param own condition of the partition
    public static String check(String own, String text) {
        return "(" + own + OUTSIDE + text + ")";
    }

    /// The text that `check` demands of the rows of one partition as in [#check]; null for another check.
    ///
    /// @param own condition of the partition
    public static @Nullable String ownCheck(String own, Check check) {
        String before = "(" + own + OUTSIDE;
        String text = check.expression();
        return text.startsWith(before) ? text.substring(before.length(), text.length() - 1) : null;
    }

    /// Whether `index` is one of a partition alone.
    ///
    /// @param own condition of the partition
    public static boolean isOwn(String own, Index index) {
        return index.terms() != null && isRestricted(own, index.terms().condition());
    }

    /// The condition of an index of a partition with the condition `own` alone.
    ///
    /// @param where the condition that its definition has; null for none
    public static String restricted(String own, @Nullable String where) {
        return where == null ? own : "(" + own + ") AND (" + where + ")";
    }

    /// Whether `condition` is that of an index as in [#restricted].
    private static boolean isRestricted(String own, @Nullable String condition) {
        return condition != null
                && (condition.equals(own) || condition.startsWith("(" + own + ") AND ("));
    }

    /// The condition after `own` in one as in [#restricted]; null for none.
    public static @Nullable String rest(String own, String condition) {
        return condition.equals(own)
                ? null
                : condition.substring(
                        own.length() + ") AND (".length() + 1, condition.length() - 1);
    }

    /// Whether a key of some place reads column `i`.
    public boolean keyReads(int i) {
        for (Partition place : all()) {
            for (String text : place.key()) {
                if (column(text) == i || TableExpressions.termReads(table, text, i)) {
                    return true;
                }
            }
        }
        return false;
    }

    /// Name of a partition whose bound has `label` of `type`; null if there is none.
    public static @Nullable String naming(Catalog catalog, EnumType type, String label) {
        for (Note note : catalog.notes().values()) {
            Table table = note instanceof Partition root ? catalog.table(root.of()) : null;
            Partitions own = table == null ? null : of(catalog, table);
            String name = own == null ? null : own.naming(type, label);
            if (name != null) {
                return name;
            }
        }
        return null;
    }

    private @Nullable String naming(EnumType type, String label) {
        for (Partition place : all()) {
            for (Child child : children(place)) {
                if (child.bound.hasLabel(type, label)) {
                    return name(child.place);
                }
            }
        }
        return null;
    }

    private List<Partition> all() {
        List<Partition> places = new ArrayList<>(List.of(root));
        places.addAll(below(root));
        return places;
    }

    /// Checks that the unique keys of `table`, which is or will be partitioned, have the columns of the key of
    /// `place`, as PostgreSQL demands.
    ///
    /// @param key of a partition, or of the table
    public static void checkKeys(SqlText source, int position, Table table, List<String> key) {
        if (!table.primaryKey().isEmpty()) {
            checkKey(source, position, table, table.primaryKey(), key);
        }
        for (Index index : table.indexes()) {
            if ((index.unique() || index.deferred()) && index.terms() == null) {
                checkKey(source, position, table, index.columns(), key);
            }
        }
    }

    private static void checkKey(
            SqlText source, int position, Table table, List<Integer> columns, List<String> key) {
        for (String text : key) {
            int column = column(table.columns(), text);
            if (!columns.contains(column)) {
                throw source.error(
                        Kind.NOT_SUPPORTED,
                        position,
                        column < 0
                                ? "The key of the partitions has the expression ("
                                        + text
                                        + "); partition by columns to have unique keys"
                                : "A unique key has all columns of the key of the partitions; add \""
                                        + table.columns().get(column).name()
                                        + "\" to it");
            }
        }
    }

    /// Checks a new unique key on `columns` of `table`.
    public static void checkKey(
            SqlText source, int position, Catalog catalog, Table table, List<Integer> columns) {
        Partitions own = of(catalog, table);
        if (own == null) {
            return;
        }
        own.all().forEach(place -> checkKey(source, position, table, columns, place.key()));
    }
}

package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.PlanParts;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.syntax.TableConstraint;
import dev.oriel.sql.text.Nearest;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Check;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Constraints;
import dev.oriel.table.definition.ForeignKey;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Resolves constraints of a table, and generates names like PostgreSQL for unnamed ones.
public final class ConstraintBinder {
    private final SqlText source;
    private final Catalog catalog;

    public ConstraintBinder(SqlText source, Catalog catalog) {
        this.source = source;
        this.catalog = catalog;
    }

    /// `draft` with `added`, which may be a primary key.
    public Table with(Table draft, TableConstraint added) {
        Constraints constraints = draft.constraints();
        return switch (added) {
            case TableConstraint.KeyDefinition key -> {
                if (!key.primary()) {
                    List<Index> indexes = new ArrayList<>(draft.indexes());
                    indexes.add(unique(draft, key));
                    yield draft.withIndexes(indexes);
                }
                if (!draft.primaryKey().isEmpty()) {
                    throw source.error(
                            Kind.INVALID_DEFINITION,
                            key.position(),
                            "Table \""
                                    + draft.name()
                                    + "\" has a PRIMARY KEY already: UNIQUE makes another key");
                }
                String name = usualKeyName(draft);
                if (key.name() != null) {
                    checkFreeIndex(draft, key.name());
                    name = free(draft, key.name());
                }
                yield draft.withPrimaryKey(positions(draft, key.columns()))
                        .withConstraints(constraints.withPrimaryKey(name));
            }
            case TableConstraint.CheckDefinition check -> {
                Scalar condition = TableExpressions.check(draft, source, check.condition());
                TableExpressions.refuseZone(source, check.condition(), condition);
                TableExpressions.reread(draft, source, check.position(), check.text());
                List<Check> checks = new ArrayList<>(constraints.checks());
                checks.add(new Check(named(draft, check), check.text()));
                yield draft.withConstraints(constraints.withChecks(checks));
            }
            case TableConstraint.ForeignKeyDefinition key -> {
                List<ForeignKey> keys = new ArrayList<>(constraints.foreignKeys());
                keys.add(foreignKey(draft, key));
                yield draft.withConstraints(constraints.withForeignKeys(keys));
            }
        };
    }

    private String named(Table draft, TableConstraint.CheckDefinition check) {
        if (check.name() != null) {
            return free(draft, check.name());
        }
        Scalar condition = TableExpressions.check(draft, source, check.condition());
        BitSet columns = new BitSet();
        PlanParts.columns(condition, columns);
        String stem =
                columns.cardinality() == 1
                        ? draft.name() + "_" + draft.columns().get(columns.nextSetBit(0)).name()
                        : draft.name();
        return unused(draft, stem + "_check");
    }

    private ForeignKey foreignKey(Table draft, TableConstraint.ForeignKeyDefinition key) {
        List<Integer> columns = positions(draft, key.columns());
        boolean self = isSelf(draft, key.parent());
        Table parent = self ? draft : SelectBinder.ordinary(source, catalog, key.parent());
        if (!self && parent.temporary() != draft.temporary()) {
            throw source.error(
                    Kind.INVALID_DEFINITION,
                    key.parent().position(),
                    draft.temporary()
                            ? "A temporary table can only refer to temporary tables; leave out the"
                                    + " foreign key"
                            : "A permanent table cannot refer to a temporary one, which ends with"
                                    + " its session; leave out the foreign key");
        }
        List<Integer> parentColumns = new ArrayList<>();
        if (key.parentColumns().isEmpty()) {
            parentColumns.addAll(parent.primaryKey());
            if (parentColumns.isEmpty()) {
                throw source.error(
                        Kind.NO_KEY,
                        key.parent().position(),
                        "Table \""
                                + parent.name()
                                + "\" has no primary key to refer to: name the"
                                + " columns of a UNIQUE constraint");
            }
        } else {
            parentColumns.addAll(positions(parent, key.parentColumns()));
        }
        if (parentColumns.size() != columns.size()) {
            throw source.error(
                    Kind.NO_KEY,
                    key.parent().position(),
                    "The foreign key has "
                            + columns.size()
                            + (columns.size() == 1 ? " column" : " columns")
                            + ", the key that it refers to in \""
                            + parent.name()
                            + "\" "
                            + parentColumns.size()
                            + ": name as many");
        }
        checkGenerated(draft, key, columns);
        String name =
                key.name() == null
                        ? unused(draft, joined(draft, key.columns()) + "_fkey")
                        : free(draft, key.name());
        return new ForeignKey(
                name,
                columns,
                self ? draft.id() : parent.id(),
                parentColumns,
                key.onDelete(),
                key.onUpdate(),
                key.deferral(),
                key.full(),
                deleted(draft, key, columns));
    }

    /// The columns of the key `columns` that ON DELETE sets; empty for all.
    private List<Integer> deleted(
            Table draft, TableConstraint.ForeignKeyDefinition key, List<Integer> columns) {
        List<Integer> deleted = positions(draft, key.deleted());
        for (int i = 0; i < deleted.size(); i++) {
            if (!columns.contains(deleted.get(i))) {
                throw source.error(
                        Kind.INVALID_REFERENCE,
                        key.deleted().get(i).position(),
                        "Column \""
                                + key.deleted().get(i).name()
                                + "\" is not in the foreign key, whose columns alone ON DELETE"
                                + " sets");
            }
        }
        return deleted;
    }

    /// Whether `name` refers to `draft` itself, which may be a new table.
    private boolean isSelf(Table draft, Identifier name) {
        if (!name.name().equalsIgnoreCase(draft.name())) {
            return false;
        }
        if (!name.schema().isEmpty()) {
            return draft.schema().equals(catalog.schema(name.schema()));
        }
        Table other = catalog.table(name.path());
        List<String> searched = catalog.searched();
        int own = searched.indexOf(draft.schema());
        return other == null || (own >= 0 && own <= searched.indexOf(other.schema()));
    }

    private void checkGenerated(
            Table draft, TableConstraint.ForeignKeyDefinition key, List<Integer> columns) {
        boolean onUpdate =
                key.onUpdate() != ForeignKey.Action.NO_ACTION
                        && key.onUpdate() != ForeignKey.Action.RESTRICT;
        boolean onDelete =
                key.onDelete() == ForeignKey.Action.SET_NULL
                        || key.onDelete() == ForeignKey.Action.SET_DEFAULT;
        for (int column : columns) {
            boolean set = onDelete && isSet(draft, key, column);
            if (draft.columns().get(column).generated() && (onUpdate || set)) {
                throw source.error(
                        Kind.INVALID_DEFINITION,
                        key.position(),
                        "A foreign key cannot set the generated column \""
                                + draft.columns().get(column).name()
                                + "\" ON "
                                + (onUpdate ? "UPDATE" : "DELETE")
                                + ": leave that out");
            }
        }
    }

    /// Whether ON DELETE of `key` sets the column `column`.
    private static boolean isSet(
            Table draft, TableConstraint.ForeignKeyDefinition key, int column) {
        String name = draft.columns().get(column).name();
        return key.deleted().isEmpty()
                || key.deleted().stream().anyMatch(each -> each.name().equalsIgnoreCase(name));
    }

    private Index unique(Table draft, TableConstraint.KeyDefinition key) {
        List<Integer> columns = positions(draft, key.columns());
        String name;
        if (key.name() != null) {
            checkFreeIndex(draft, key.name());
            name = free(draft, key.name());
        } else {
            String stem = joined(draft, key.columns()) + "_key";
            name = stem;
            for (int i = 1; isTakenIndex(draft, name) || isTaken(draft, name); i++) {
                name = stem + i;
            }
        }
        return new Index(name, Index.Kind.BTREE, !key.deferred(), columns, true)
                .withNulls(key.nulls());
    }

    /// A free name for an unnamed index on the columns `of`.
    public String indexName(Table table, List<Identifier> of) {
        String stem = joined(table, of) + "_idx";
        String name = stem;
        for (int i = 1; isTakenIndex(table, name) || isTaken(table, name); i++) {
            name = stem + i;
        }
        return name;
    }

    /// The name of `draft` with those of `columns`.
    public String stem(Table draft, List<Identifier> columns) {
        return joined(draft, columns);
    }

    private static String joined(Table draft, List<Identifier> columns) {
        StringBuilder stem = new StringBuilder(draft.name());
        columns.forEach(column -> stem.append('_').append(column.name()));
        return stem.toString();
    }

    /// Positions of the columns of a key.
    public List<Integer> positions(Table table, List<Identifier> names) {
        List<Integer> positions = new ArrayList<>();
        for (Identifier name : names) {
            int position = table.column(name.name());
            if (position < 0) {
                List<String> columns = table.columns().stream().map(Column::name).toList();
                throw source.error(
                        Kind.UNKNOWN_COLUMN,
                        name.position(),
                        "Table \""
                                + table.name()
                                + "\" has no column \""
                                + name.name()
                                + "\""
                                + Nearest.hint(name.name(), columns));
            }
            if (positions.contains(position)) {
                throw source.error(
                        Kind.DUPLICATE_COLUMN,
                        name.position(),
                        "Column \"" + name.name() + "\" is in the key twice: name it once");
            }
            positions.add(position);
        }
        return positions;
    }

    /// Checks that no constraint of the table is called `name`; returns it.
    public String free(Table draft, Identifier name) {
        if (isTaken(draft, name.name())) {
            throw source.error(
                    Kind.DUPLICATE_OBJECT,
                    name.position(),
                    "Table \""
                            + draft.name()
                            + "\" has a constraint \""
                            + name.name()
                            + "\" already: choose another name");
        }
        return name.name();
    }

    /// `stem`, followed by a number if a constraint of the table has that name.
    public static String unused(Table draft, String stem) {
        String name = stem;
        for (int i = 1; isTaken(draft, name); i++) {
            name = stem + i;
        }
        return name;
    }

    private static boolean isTaken(Table draft, String name) {
        for (String other : names(draft)) {
            if (name.equalsIgnoreCase(other)) {
                return true;
            }
        }
        return false;
    }

    /// Names of the constraints of `table`.
    public static List<String> names(Table table) {
        List<String> names = new ArrayList<>();
        if (!table.primaryKey().isEmpty()) {
            names.add(primaryKeyName(table));
        }
        for (Index index : table.indexes()) {
            if (index.constraint()) {
                names.add(index.name());
            }
        }
        table.constraints().declared().forEach(check -> names.add(check.name()));
        table.constraints().foreignKeys().forEach(key -> names.add(key.name()));
        return names;
    }

    /// Name of the primary key of `table`.
    public static String primaryKeyName(Table table) {
        String name = table.constraints().primaryKey();
        return name.isEmpty() ? table.name() + "_pkey" : name;
    }

    /// Name for an unnamed primary key of `draft`: empty for the usual one, a numbered one if that is taken.
    private String usualKeyName(Table draft) {
        String stem = draft.name() + "_pkey";
        String name = stem;
        for (int i = 1; isTakenIndex(draft, name) || isTaken(draft, name); i++) {
            name = stem + i;
        }
        return name.equals(stem) ? "" : name;
    }

    /// Checks that no index is called `name`.
    ///
    /// @throws SqlException if there is an index `name`
    public void checkFreeIndex(Table draft, Identifier name) {
        if (isTakenIndex(draft, name.name())) {
            boolean index =
                    draft.index(name.name()) != null
                            || isIndex(catalog, draft.schema(), name.name());
            throw source.error(
                    Kind.DUPLICATE_NAME,
                    name.position(),
                    (index ? "There is an index \"" : "There is a table, view or sequence \"")
                            + name.name()
                            + "\" already: choose another name");
        }
    }

    /// Whether `name` is already taken for an index in the schema of `draft`.
    public boolean isTakenIndex(Table draft, String name) {
        return draft.index(name) != null
                || draft.name().equalsIgnoreCase(name)
                || catalog.holds(draft.schema(), name)
                || isIndex(catalog, draft.schema(), name);
    }

    /// Whether an index of `schema`, or a named primary key, is called `name`.
    public static boolean isIndex(Catalog catalog, String schema, String name) {
        for (Table table : catalog.tables()) {
            boolean called =
                    table.index(name) != null
                            || table.constraints().primaryKey().equalsIgnoreCase(name);
            if (called && table.schema().equals(schema)) {
                return true;
            }
        }
        return false;
    }

    /// The table with an index `name`, or null.
    public @Nullable Table owner(Identifier name) {
        if (!name.schema().isEmpty()) {
            String schema = catalog.schema(name.schema());
            return schema == null ? null : owner(name.name(), schema);
        }
        for (String schema : catalog.searched()) {
            Table owner = owner(name.name(), schema);
            if (owner != null) {
                return owner;
            }
        }
        return null;
    }

    private @Nullable Table owner(String name, String schema) {
        for (Table table : catalog.tables()) {
            if (table.schema().equals(schema) && table.index(name) != null) {
                return table;
            }
        }
        return null;
    }

    static String folded(String name) {
        return name.toUpperCase(Locale.ROOT);
    }
}

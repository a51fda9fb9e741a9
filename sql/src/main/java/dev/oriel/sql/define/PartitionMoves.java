package dev.oriel.sql.define;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.bind.ConstraintBinder;
import dev.oriel.sql.bind.Partitions;
import dev.oriel.sql.bind.SelectBinder;
import dev.oriel.sql.bind.TableExpressions;
import dev.oriel.sql.bind.Views;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Quoting;
import dev.oriel.sql.syntax.Alteration;
import dev.oriel.sql.syntax.Renaming;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Check;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ColumnDefault;
import dev.oriel.table.definition.Comments;
import dev.oriel.table.definition.ConstraintException;
import dev.oriel.table.definition.Constraints;
import dev.oriel.table.definition.ForeignKey;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Partition;
import dev.oriel.table.definition.Partition.Strategy;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.View;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;

/// ATTACH PARTITION moves the rows of a table into the partitioned one, DETACH PARTITION moves them out into a table.
final class PartitionMoves {
    private final SqlText source;
    private final Execution execution;
    private final TableTransaction transaction;

    /// The definitions before the statement.
    private final Catalog former;

    private final PartitionDefinitions definitions;
    private final PartitionParts parts;

    PartitionMoves(SqlText source, Execution execution, Definitions all) {
        this.source = source;
        this.execution = execution;
        this.transaction = execution.transaction();
        this.former = transaction.catalog();
        this.definitions = new PartitionDefinitions(source, execution, all);
        this.parts = new PartitionParts(source, transaction);
    }

    private Catalog catalog() {
        return transaction.catalog();
    }

    /// Runs `change` of the table `name` if it is ATTACH or DETACH; else returns false.
    boolean move(Identifier name, Alteration change) {
        if (change instanceof Alteration.AttachPartition attach) {
            attach(name, attach);
        } else if (change instanceof Alteration.DetachPartition detach) {
            detach(name, detach);
        } else {
            return false;
        }
        return true;
    }

    /// Runs `change` of the partition `place`.
    void alter(Partition place, Alteration change, Identifier name) {
        if (!move(name, change)) {
            parts.alter(place, change, name);
        }
    }

    private void attach(Identifier to, Alteration.AttachPartition attach) {
        Partition parent = definitions.parent(to);
        Identifier name = attach.partition();
        if (SelectBinder.partition(catalog(), name) != null) {
            throw source.error(
                    Kind.WRONG_OBJECT,
                    name.position(),
                    "\"" + name.name() + "\" is a partition already; detach it first");
        }
        Table old = SelectBinder.ordinary(source, catalog(), name);
        Partitions partitions = Partitions.around(catalog(), parent);
        Table table = partitions.table();
        checkFits(old, partitions, name);
        Partition oldRoot = catalog().partition(old.id());
        if (oldRoot != null) {
            Partitions others = Partitions.around(catalog(), oldRoot);
            parts.refuseOwn(others, others.below(oldRoot), name.position());
        }
        Comments comments = catalog().comments(old.id());
        List<Partition> below = oldRoot == null ? List.of() : catalog().partitions(old.id());
        String free = free(old.schema(), old.name());
        Table moved = transaction.redefine(called(old, old.name(), free), null);
        List<String> columns = old.columns().stream().map(Column::name).toList();
        Partition made = definitions.add(parent, attach.bound(), name, old.schema(), columns);
        if (oldRoot != null) {
            Partitions.checkKeys(source, name.position(), table, oldRoot.key());
            reparent(below, made.of());
            transaction.create(
                    new Partition(
                            made.id(),
                            made.of(),
                            made.parent(),
                            made.bound(),
                            oldRoot.strategy(),
                            oldRoot.key()));
            Partitions.refresh(transaction);
        }
        checkBound(moved, made, name);
        copy(moved, moved.name(), moved.schema(), old.name(), old.schema());
        transaction.drop(moved);
        keepParts(old, table, made, name);
        CommentDefinition.keep(
                transaction, comments, Objects.requireNonNull(catalog().view(made.of())));
        Views.check(source, name.position(), transaction, former, false);
    }

    /// Checks that the bound of the partition `made` has all rows of `table`.
    private void checkBound(Table table, Partition made, Identifier name) {
        String query =
                "SELECT 1 FROM "
                        + InnerStatements.named(table.schema(), table.name())
                        + " WHERE ("
                        + Partitions.around(catalog(), made).condition(made)
                        + ") IS NOT TRUE";
        if (new InnerStatements(execution).any(query)) {
            throw source.error(
                    new ConstraintException(
                            ConstraintException.Kind.CHECK,
                            "A row of the table is outside of the bound; widen the bound, or move"
                                    + " the row",
                            "table=" + name.name()),
                    name.position());
        }
    }

    private void reparent(List<Partition> below, long parent) {
        for (Partition child : below) {
            transaction.create(
                    new Partition(
                            child.id(),
                            child.of(),
                            parent,
                            child.bound(),
                            child.strategy(),
                            child.key()));
        }
    }

    /// A name of `schema` like `name` that nothing has.
    private String free(String schema, String name) {
        String free = name + "_moved";
        for (int i = 1; catalog().holds(schema, free); i++) {
            free = name + "_moved" + i;
        }
        return free;
    }

    /// Copies the rows of `from`, without its generated columns.
    private void copy(Table columns, String from, String fromSchema, String to, String toSchema) {
        StringJoiner names = new StringJoiner(", ");
        for (Column column : columns.columns()) {
            if (!column.generated()) {
                names.add(Quoting.name(column.name()));
            }
        }
        new InnerStatements(execution)
                .change(
                        "INSERT INTO "
                                + InnerStatements.named(toSchema, to)
                                + " ("
                                + names
                                + ") OVERRIDING SYSTEM VALUE SELECT "
                                + names
                                + " FROM "
                                + InnerStatements.named(fromSchema, from));
    }

    private void checkFits(Table old, Partitions partitions, Identifier name) {
        Table table = partitions.table();
        if (old.id() == table.id()) {
            throw source.error(
                    Kind.DUPLICATE_NAME,
                    name.position(),
                    "\"" + name.name() + "\" has the partitions; attach another table");
        }
        if (old.temporary() != table.temporary()) {
            throw source.error(
                    Kind.WRONG_OBJECT,
                    name.position(),
                    "\""
                            + name.name()
                            + "\" cannot be a partition of \""
                            + table.name()
                            + "\"; let both be temporary, or neither");
        }
        checkColumns(old, table, name);
        Collection<String> conditions = partitions.conditions().values();
        for (Check check : table.constraints().declared()) {
            boolean has =
                    old.constraints().declared().stream()
                            .anyMatch(own -> isSame(table, check, old, own));
            if (!has && !isOfPartition(conditions, check)) {
                throw unfit(name, "lacks the constraint \"" + check.name() + "\" of the table");
            }
        }
        checkForeignKeys(old, table, name);
        if (!catalog().triggers(old.id()).isEmpty()) {
            throw unfit(name, "has triggers of its own, which a partition cannot have");
        }
    }

    private void checkColumns(Table old, Table table, Identifier name) {
        for (Column column : old.columns()) {
            if (table.column(column.name()) < 0) {
                throw unfit(
                        name, "has a column \"" + column.name() + "\" that is not in the table");
            }
        }
        for (Column column : table.columns()) {
            int i = old.column(column.name());
            Column own = i < 0 ? null : old.columns().get(i);
            if (own == null) {
                throw unfit(name, "lacks the column \"" + column.name() + "\" of the table");
            } else if (!own.type().equals(column.type())) {
                throw unfit(name, "has another type of column \"" + column.name() + "\"");
            } else if (own.nullable() && !column.nullable()) {
                throw unfit(name, "allows NULL in column \"" + column.name() + "\"");
            }
        }
        for (Column column : table.columns()) {
            Column own = old.columns().get(old.column(column.name()));
            if (!isSameGenerated(old, own, table, column)) {
                throw unfit(name, "generates other columns than the table");
            }
        }
    }

    private static boolean isSameGenerated(Table old, Column own, Table table, Column column) {
        if (own.filling() instanceof ColumnDefault.Generated other
                && column.filling() instanceof ColumnDefault.Generated value) {
            return TableExpressions.isSameValue(
                    table, column, value.expression(), old, other.expression());
        }
        return !own.generated() && !column.generated();
    }

    /// Whether `check` of `table` is the same as `own` of `old`, which has the columns of `table`.
    private static boolean isSame(Table table, Check check, Table old, Check own) {
        return own.name().equalsIgnoreCase(check.name())
                && TableExpressions.isSameCheck(table, check.expression(), old, own.expression());
    }

    private void checkForeignKeys(Table old, Table table, Identifier name) {
        for (Table other : catalog().tables()) {
            for (ForeignKey key : other.constraints().foreignKeys()) {
                boolean kept =
                        other.id() != old.id()
                                || table.constraints().foreignKeys().stream()
                                        .anyMatch(own -> isSame(table, own, old, key));
                if ((key.parent() == old.id() && other.id() != old.id()) || !kept) {
                    throw source.error(
                            Kind.NOT_SUPPORTED,
                            name.position(),
                            "Foreign key \""
                                    + key.name()
                                    + "\" of table \""
                                    + other.name()
                                    + "\" would be lost; drop it, or add it to the partitioned"
                                    + " table");
                }
            }
        }
    }

    /// Whether `check` belongs to a single partition with one of `conditions`.
    private static boolean isOfPartition(Collection<String> conditions, Check check) {
        return conditions.stream().anyMatch(own -> Partitions.ownCheck(own, check) != null);
    }

    private static boolean isSame(Table a, ForeignKey own, Table b, ForeignKey other) {
        List<String> names = own.columns().stream().map(i -> a.columns().get(i).name()).toList();
        List<String> others = other.columns().stream().map(i -> b.columns().get(i).name()).toList();
        return own.parent() == other.parent()
                && names.equals(others)
                && own.parentColumns().equals(other.parentColumns());
    }

    private SqlException unfit(Identifier name, String state) {
        return source.error(
                Kind.TYPE_MISMATCH,
                name.position(),
                "\"" + name.name() + "\" " + state + "; alter it before it becomes a partition");
    }

    /// Gives the new partition `place` the constraints and indexes of `old` that `table` does not have.
    private void keepParts(Table old, Table table, Partition place, Identifier name) {
        for (Check check : old.constraints().declared()) {
            boolean shared =
                    table.constraints().declared().stream()
                            .anyMatch(each -> isSame(table, each, old, check));
            if (!shared) {
                parts.addCheck(place, check.name(), check.expression());
            }
        }
        for (Column column : old.columns()) {
            if (!column.nullable()) {
                parts.addNotNull(place, table.column(column.name()));
            }
        }
        Table now = Partitions.around(catalog(), place).table();
        List<Integer> key = moved(old.primaryKey(), old, now);
        if (!key.isEmpty() && !key.equals(now.primaryKey())) {
            checkNoKey(now, name.position());
            String called = ConstraintBinder.primaryKeyName(old);
            parts.addIndex(place, new Index(called, Index.Kind.BTREE, true, key));
        }
        for (Index index : old.indexes()) {
            Index moved = index.withColumns(moved(index.columns(), old, now));
            if (moved.deferred()) {
                checkShared(now, moved, name.position());
            } else if (!isCovered(now, moved)) {
                parts.createIndex(place, moved, name.position());
            }
        }
    }

    /// A key of a single partition cannot wait for the commit.
    private void checkShared(Table table, Index index, int position) {
        boolean shared =
                table.indexes().stream()
                        .anyMatch(other ->
                                other.constraint() && other.columns().equals(index.columns()));
        if (!shared) {
            throw source.error(
                    Kind.NOT_SUPPORTED,
                    position,
                    "Constraint \""
                            + index.name()
                            + "\" is tested at the commit, and keys of single partitions are not; drop it"
                            + " first, or add it to the whole table");
        }
    }

    /// Whether the primary key or an index of `table` does the same for all rows as `index`.
    private static boolean isCovered(Table table, Index index) {
        boolean key =
                index.kind() == Index.Kind.BTREE
                        && index.terms() == null
                        && index.columns().equals(table.primaryKey());
        return key
                || table.indexes().stream()
                        .anyMatch(own ->
                                own.kind() == index.kind()
                                        && own.columns().equals(index.columns())
                                        && Objects.equals(own.terms(), index.terms())
                                        && own.nulls() == index.nulls()
                                        && (own.unique() || !index.unique()));
    }

    /// Checks that a partition has no other primary key than `table`.
    private void checkNoKey(Table table, int position) {
        if (!table.primaryKey().isEmpty()) {
            throw source.error(
                    Kind.INVALID_DEFINITION,
                    position,
                    "A partition has the primary key of its table; leave out the other one");
        }
    }

    /// Positions in `to` of the columns at `positions` in `from`.
    private static List<Integer> moved(List<Integer> positions, Table from, Table to) {
        return positions.stream().map(i -> to.column(from.columns().get(i).name())).toList();
    }

    private void detach(Identifier from, Alteration.DetachPartition detach) {
        Partition parent = definitions.parent(from);
        Identifier name = detach.partition();
        Partition place = SelectBinder.partition(catalog(), name);
        View view = catalog().view(name.path());
        if (place == null || view == null || place.parent() != parent.of()) {
            throw source.error(
                    Kind.UNKNOWN_TABLE,
                    name.position(),
                    "\"" + name.name() + "\" is not a partition of \"" + from.name() + "\"");
        }
        Partitions partitions = Partitions.around(catalog(), place);
        Table table = partitions.table();
        parts.refuseOwn(partitions, partitions.below(place), name.position());
        definitions.checkUnreferred(table, name);
        List<Index> indexes = new ArrayList<>();
        Table draft = draft(partitions, view, place, indexes);
        String free = free(view.schema(), view.name());
        Table made = transaction.create(called(draft, table.name(), free));
        copy(made, view.name(), view.schema(), made.name(), made.schema());
        new InnerStatements(execution)
                .change("DELETE FROM " + InnerStatements.named(view.schema(), view.name()));
        Comments comments = catalog().comments(view.id());
        parts.drop(partitions, List.of(place));
        List<Partition> below = catalog().partitions(place.of());
        if (place.strategy() != Strategy.NONE) {
            transaction.create(new Partition(0, made.id(), 0, "", place.strategy(), place.key()));
            reparent(below, made.id());
        }
        transaction.drop(view);
        Table kept = Objects.requireNonNull(catalog().table(made.id()));
        Table named = transaction.redefine(called(kept, free, view.name()), null);
        for (Index index : indexes) {
            Index own = renamed(index, table.name(), named.name());
            transaction.createIndex(named, freelyNamed(named, own));
        }
        Comments about = comments.about(named.id());
        if (!about.texts().isEmpty()) {
            transaction.create(about);
        }
        Views.check(source, name.position(), transaction, former, false);
    }

    /// `index` with the table `to` in its expressions, which may name it `from`.
    private static Index renamed(Index index, String from, String to) {
        Index.Terms terms = index.terms();
        return terms == null
                ? index
                : index.withTerms(
                        Alterations.reworded(terms, text -> Renaming.table(text, from, to)));
    }

    /// `table` as `to`, also in its expressions, which may name it `from`.
    private static Table called(Table table, String from, String to) {
        return Alterations.reworded(table.withName(to), text -> Renaming.table(text, from, to));
    }

    private Index freelyNamed(Table table, Index index) {
        String name = index.name();
        for (int i = 1; catalog().holds(table.schema(), name) || isIndex(table, name); i++) {
            name = index.name() + i;
        }
        return index.withName(name);
    }

    private boolean isIndex(Table table, String name) {
        return ConstraintBinder.isIndex(catalog(), table.schema(), name);
    }

    /// The table that the partition becomes, without its indexes, which are added to `indexes`.
    private Table draft(Partitions partitions, View view, Partition place, List<Index> indexes) {
        Table table = partitions.table();
        Map<Long, String> conditions = partitions.conditions();
        String condition = Objects.requireNonNull(conditions.get(place.of()));
        List<Column> columns = new ArrayList<>();
        for (String name : view.columns()) {
            Column column = table.columns().get(table.column(name));
            boolean identity = column.filling() instanceof ColumnDefault.Identity;
            columns.add(identity ? column.withFilling(null) : column);
        }
        List<Check> checks = new ArrayList<>();
        for (Check check : table.constraints().declared()) {
            String own = Partitions.ownCheck(condition, check);
            String required = own == null ? null : PartitionParts.required(own);
            int column = required == null ? -1 : Partitions.column(columns, required);
            if (column >= 0) {
                columns.set(column, columns.get(column).withNullable(false));
            } else if (own != null) {
                checks.add(new Check(check.name(), own));
            } else if (!isOfPartition(conditions.values(), check)) {
                checks.add(check);
            }
        }
        Table bare = new Table(0, view.name(), columns, List.of(), List.of());
        List<ForeignKey> keys = new ArrayList<>();
        for (ForeignKey key : table.constraints().foreignKeys()) {
            keys.add(key.withColumns(moved(key.columns(), table, bare), key.parentColumns()));
        }
        for (Index index : table.indexes()) {
            boolean ofOther =
                    !Partitions.isOwn(condition, index)
                            && conditions.values().stream()
                                    .anyMatch(other -> Partitions.isOwn(other, index));
            if (!ofOther) {
                indexes.add(index(table, bare, condition, index));
            }
        }
        return bare.withPrimaryKey(moved(table.primaryKey(), table, bare))
                .withConstraints(new Constraints("", checks, keys))
                .withSchema(view.schema());
    }

    /// The index of the detached table `bare` for `index` of the table or of the partition alone.
    private static Index index(Table table, Table bare, String own, Index index) {
        Index.Terms terms = index.terms();
        if (terms == null) {
            StringBuilder name = new StringBuilder(bare.name());
            index.columns().forEach(i -> name.append('_').append(table.columns().get(i).name()));
            name.append(index.constraint() ? "_key" : "_idx");
            return index.withName(name.toString()).withColumns(moved(index.columns(), table, bare));
        }
        String condition = terms.condition();
        if (condition == null || !Partitions.isOwn(own, index)) {
            return index.withName(bare.name() + "_" + index.name());
        }
        String rest = Partitions.rest(own, condition);
        List<Integer> plain = new ArrayList<>();
        for (String text : terms.expressions()) {
            plain.add(Partitions.column(bare.columns(), text));
        }
        return rest == null && !plain.contains(-1)
                ? index.withTerms(null).withColumns(plain)
                : index.withTerms(new Index.Terms(terms.expressions(), terms.types(), rest));
    }
}

package dev.oriel.sql.define;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.bind.ConstraintBinder;
import dev.oriel.sql.bind.Partitions;
import dev.oriel.sql.plan.Quoting;
import dev.oriel.sql.syntax.Alteration;
import dev.oriel.sql.syntax.PartitionStatement;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.FillingClause;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.Catalog;
import dev.oriel.table.Check;
import dev.oriel.table.Column;
import dev.oriel.table.ColumnDefault;
import dev.oriel.table.Index;
import dev.oriel.table.Partition;
import dev.oriel.table.Table;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Constraints and indexes of a partition alone. A check becomes one of the table, which holds for rows outside of the
/// bound; an index becomes a partial one. Both are recognized by the text of the bound.
final class PartitionParts {
    private static final String BETWEEN = ") IS NOT TRUE OR (";
    private static final String NOT_NULL = " IS NOT NULL";

    private final SqlText source;
    private final TableTransaction transaction;

    PartitionParts(SqlText source, TableTransaction transaction) {
        this.source = source;
        this.transaction = transaction;
    }

    private Catalog catalog() {
        return transaction.catalog();
    }

    private Table table(Partition place) {
        return Partitions.around(catalog(), place).table();
    }

    private String condition(Partition place) {
        return Partitions.around(catalog(), place).condition(place);
    }

    private String name(Partition place) {
        return Partitions.around(catalog(), place).name(place);
    }

    /// Adds the options of a new partition, the view of number `of`.
    void add(
            long of,
            List<Statement.ColumnDefinition> columns,
            List<Statement.TableConstraint> constraints) {
        Partition place = Objects.requireNonNull(catalog().partition(of));
        for (Statement.ColumnDefinition column : columns) {
            Table table = table(place);
            int i =
                    new ConstraintBinder(source, catalog())
                            .positions(table, List.of(column.name()))
                            .getFirst();
            FillingClause filling = column.filling();
            if (filling != null) {
                checkFilling(table.columns().get(i), filling);
            }
            if (!column.nullable()) {
                addNotNull(place, i, column.name().position());
            }
        }
        constraints.forEach(constraint -> add(place, constraint));
    }

    /// Checks that the column of the table has the default that a partition declares.
    private void checkFilling(Column column, FillingClause filling) {
        boolean same =
                filling instanceof FillingClause.Default wanted
                        && column.filling() instanceof ColumnDefault.Default own
                        && own.expression().equalsIgnoreCase(wanted.text());
        if (!same) {
            throw source.error(
                    Kind.NOT_SUPPORTED,
                    filling.position(),
                    "A partition has the defaults of its table; alter the table, or leave it out");
        }
    }

    void addNotNull(Partition place, int column, int position) {
        Column own = table(place).columns().get(column);
        if (own.nullable()) {
            String name = (name(place) + "_" + own.name() + "_not_null").toLowerCase(Locale.ROOT);
            addCheck(place, name, Quoting.name(own.name()) + NOT_NULL);
        }
    }

    void addCheck(Partition place, String name, String text) {
        Table table = table(place);
        List<Check> checks = new ArrayList<>(table.constraints().checks());
        checks.add(new Check(name, "(" + condition(place) + BETWEEN + text + ")"));
        transaction.redefine(table.withConstraints(table.constraints().withChecks(checks)), null);
    }

    private void add(Partition place, Statement.TableConstraint constraint) {
        Table table = table(place);
        ConstraintBinder binder = new ConstraintBinder(source, catalog());
        switch (constraint) {
            case Statement.CheckDefinition check -> {
                Table with = binder.with(table.withName(name(place)), check);
                Check added = with.constraints().declared().getLast();
                addCheck(place, added.name(), check.text());
            }
            case Statement.KeyDefinition key -> {
                List<Integer> columns = binder.positions(table, key.columns());
                if (isShared(table, columns, key.primary())) {
                    return;
                }
                if (key.primary() && !table.primaryKey().isEmpty()) {
                    throw source.error(
                            Kind.INVALID_DEFINITION,
                            key.position(),
                            "A partition has the primary key of its table; leave out PRIMARY KEY");
                }
                String suffix = key.primary() ? "_pkey" : "_key";
                Identifier given = key.name();
                if (given != null) {
                    binder.checkFreeIndex(table, given);
                }
                String stem =
                        key.primary()
                                ? name(place)
                                : binder.stem(table.withName(name(place)), key.columns());
                String name = given == null ? stem + suffix : given.name();
                addIndex(place, name, true, columns);
                for (int column : key.primary() ? columns : List.<Integer>of()) {
                    addNotNull(place, column, key.position());
                }
            }
            case Statement.ForeignKeyDefinition key ->
                    throw source.error(
                            Kind.NOT_SUPPORTED,
                            key.position(),
                            "A partition has the foreign keys of its table; add the key to the"
                                    + " table");
        }
    }

    /// Whether `table` has a key of `columns` for all its partitions.
    private static boolean isShared(Table table, List<Integer> columns, boolean primary) {
        return columns.equals(table.primaryKey())
                || (!primary
                        && table.indexes().stream()
                                .anyMatch(index ->
                                        index.constraint() && index.columns().equals(columns)));
    }

    /// Adds an index on `columns` of the table for the rows of `place`.
    void addIndex(Partition place, String name, boolean unique, List<Integer> columns) {
        Table table = table(place);
        List<String> texts = new ArrayList<>();
        List<Type> types = new ArrayList<>();
        for (int column : columns) {
            texts.add(Quoting.name(table.columns().get(column).name()));
            types.add(table.columns().get(column).type());
        }
        addIndex(place, name, unique, new Index.Terms(texts, types, null));
    }

    /// Adds an index of `terms`, restricted to the rows of `place`.
    void addIndex(Partition place, String name, boolean unique, Index.Terms terms) {
        Index.Terms restricted =
                new Index.Terms(
                        terms.expressions(),
                        terms.types(),
                        Partitions.restricted(condition(place), terms.condition()));
        transaction.createIndex(table(place), new Index(name, unique, restricted));
    }

    /// The index that CREATE INDEX on the partition `place` makes: `index`, restricted to its rows.
    void createIndex(Partition place, Index index, int position) {
        if (index.kind() != Index.Kind.BTREE) {
            throw source.error(
                    Kind.NOT_SUPPORTED,
                    position,
                    "An index of a partition alone is a BTREE; create it on the table");
        }
        if (index.terms() == null) {
            addIndex(place, index.name(), index.unique(), index.columns());
        } else {
            addIndex(place, index.name(), index.unique(), index.terms());
        }
    }

    /// Whether `index` of the table is one of `place` alone.
    boolean isOwn(Partition place, Index index) {
        return index.terms() != null
                && Partitions.isRestricted(condition(place), index.terms().condition());
    }

    /// The condition of `check` if it is one of `place` alone; else null.
    @Nullable String ownCheck(Partition place, Check check) {
        String before = "(" + condition(place) + BETWEEN;
        String text = check.expression();
        return text.startsWith(before) ? text.substring(before.length(), text.length() - 1) : null;
    }

    /// The column that `text`, the condition of an own check, demands; null if it is another condition.
    static @Nullable String required(String text) {
        return text.endsWith(NOT_NULL)
                ? text.substring(0, text.length() - NOT_NULL.length())
                : null;
    }

    /// Drops the constraints and indexes of `place` alone.
    void drop(Partition place) {
        for (Index index : table(place).indexes()) {
            if (isOwn(place, index)) {
                transaction.dropIndex(table(place), index);
            }
        }
        Table table = table(place);
        List<Check> checks = new ArrayList<>(table.constraints().checks());
        if (checks.removeIf(check -> ownCheck(place, check) != null)) {
            transaction.redefine(
                    table.withConstraints(table.constraints().withChecks(checks)), null);
        }
    }

    /// ALTER INDEX ATTACH PARTITION. An index of the table has the rows of all partitions, so that of the partition
    /// alone is dropped. There is none if a key of the table was there before.
    void attach(PartitionStatement.AttachIndex attach) {
        ConstraintBinder binder = new ConstraintBinder(source, catalog());
        Table table = binder.owner(attach.name());
        Table other = binder.owner(attach.part());
        Index whole = table == null ? null : table.index(attach.name().name());
        Index part = other == null ? null : other.index(attach.part().name());
        boolean key = isKey(attach.name()) || (whole != null && whole.constraint());
        if ((whole == null && !key) || (part == null && !key)) {
            Identifier missing = whole == null ? attach.name() : attach.part();
            throw source.error(
                    Kind.UNKNOWN_TABLE,
                    missing.position(),
                    "There is no index \"" + missing.name() + "\"");
        }
        if (other == null || part == null) {
            return;
        }
        if (placeOf(other, part) == null) {
            throw source.error(
                    Kind.OBJECT_STATE,
                    attach.part().position(),
                    "\"" + part.name() + "\" is not an index of a partition alone; leave it out");
        }
        if (table != null && whole != null && !terms(table, whole).equals(terms(other, part))) {
            throw source.error(
                    Kind.OBJECT_DEFINITION,
                    attach.part().position(),
                    "\""
                            + part.name()
                            + "\" has other columns than \""
                            + whole.name()
                            + "\"; leave it as it is");
        }
        transaction.dropIndex(other, part);
    }

    /// Texts of the columns and expressions of `index`.
    private static List<String> terms(Table table, Index index) {
        Index.Terms terms = index.terms();
        if (terms != null) {
            return terms.expressions();
        }
        return index.columns().stream()
                .map(column -> Quoting.name(table.columns().get(column).name()))
                .toList();
    }

    /// The partition that `index` of `table` is of; null if it is of the table.
    private @Nullable Partition placeOf(Table table, Index index) {
        Partition root = catalog().partition(table.id());
        if (root != null) {
            for (Partition place : Partitions.around(catalog(), root).below(root)) {
                if (isOwn(place, index)) {
                    return place;
                }
            }
        }
        return null;
    }

    private boolean isKey(Identifier name) {
        for (Table table : catalog().tables()) {
            if (!table.primaryKey().isEmpty()
                    && ConstraintBinder.primaryKeyName(table).equalsIgnoreCase(name.name())) {
                return true;
            }
        }
        return false;
    }

    /// Runs a change of ALTER TABLE on the partition `place`.
    void alter(Partition place, Alteration change, Identifier name) {
        Table table = table(place);
        int position = name.position();
        switch (change) {
            case Alteration.AddConstraint added -> add(place, added.constraint());
            case Alteration.DropConstraint drop -> dropConstraint(place, drop);
            case Alteration.ValidateConstraint _, Alteration.TuneColumn _ -> {}
            case Alteration.IfColumnExists column -> alter(place, column.change(), name);
            case Alteration.SetNullable set -> {
                int column =
                        new ConstraintBinder(source, catalog())
                                .positions(table, List.of(set.column()))
                                .getFirst();
                if (!set.nullable()) {
                    addNotNull(place, column, set.column().position());
                } else if (!dropNotNull(place, column)) {
                    throw inherited(Kind.INVALID_DEFINITION, set.column().position(), "NOT NULL");
                }
            }
            case Alteration.AddColumn add ->
                    throw inherited(
                            Kind.WRONG_OBJECT, add.column().name().position(), "The columns");
            case Alteration.DropColumn drop ->
                    throw inherited(
                            Kind.INVALID_DEFINITION, drop.column().position(), "The columns");
            case Alteration.RenameColumn rename ->
                    throw inherited(
                            Kind.INVALID_DEFINITION, rename.column().position(), "The columns");
            case Alteration.ChangeType type ->
                    throw inherited(Kind.INVALID_DEFINITION, type.column().position(), "The types");
            case Alteration.SetFilling set ->
                    throw inherited(Kind.NOT_SUPPORTED, set.column().position(), "The defaults");
            case Alteration.ChangeDeferral time ->
                    throw inherited(
                            Kind.INVALID_DEFINITION,
                            time.constraint().position(),
                            "The foreign keys");
            case Alteration.ChangeIdentity _,
                    Alteration.DropIdentity _,
                    Alteration.RenameConstraint _,
                    Alteration.RenameTo _,
                    Alteration.AttachPartition _,
                    Alteration.DetachPartition _ ->
                    throw inherited(Kind.NOT_SUPPORTED, position, "The identity");
        }
    }

    private SqlException inherited(Kind kind, int position, String what) {
        return source.error(
                kind,
                position,
                what + " of a partition: the table decides for all its partitions; alter it");
    }

    private boolean dropNotNull(Partition place, int column) {
        Table table = table(place);
        String name = Quoting.name(table.columns().get(column).name());
        List<Check> checks = new ArrayList<>(table.constraints().checks());
        boolean found = checks.removeIf(check -> (name + NOT_NULL).equals(ownCheck(place, check)));
        if (found) {
            transaction.redefine(
                    table.withConstraints(table.constraints().withChecks(checks)), null);
        }
        return found || table.columns().get(column).nullable();
    }

    private void dropConstraint(Partition place, Alteration.DropConstraint drop) {
        Table table = table(place);
        Identifier name = drop.constraint();
        Index index = table.index(name.name());
        if (index != null && isOwn(place, index)) {
            transaction.dropIndex(table, index);
            return;
        }
        List<Check> checks = new ArrayList<>(table.constraints().checks());
        if (checks.removeIf(
                check ->
                        check.name().equalsIgnoreCase(name.name())
                                && ownCheck(place, check) != null)) {
            transaction.redefine(
                    table.withConstraints(table.constraints().withChecks(checks)), null);
            return;
        }
        boolean other =
                table.constraints().declared().stream()
                        .anyMatch(check ->
                                check.name().equalsIgnoreCase(name.name())
                                        && check.expression().contains(BETWEEN));
        if (!other
                && ConstraintBinder.names(table).stream().anyMatch(name.name()::equalsIgnoreCase)) {
            throw inherited(Kind.INVALID_DEFINITION, name.position(), "Constraints");
        }
        if (!drop.ifExists()) {
            throw source.error(
                    Kind.UNKNOWN_OBJECT,
                    name.position(),
                    "Partition \"" + name(place) + "\" has no constraint \"" + name.name() + "\"");
        }
    }
}

package dev.oriel.sql.define;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.bind.ConstraintBinder;
import dev.oriel.sql.bind.Partitions;
import dev.oriel.sql.plan.Quoting;
import dev.oriel.sql.syntax.Alteration;
import dev.oriel.sql.syntax.PartitionStatement;
import dev.oriel.sql.syntax.Renaming;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.FillingClause;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.syntax.TableConstraint;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Check;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ColumnDefault;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Partition;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Constraints and indexes of a partition alone. A check becomes one of the table, which holds for rows outside of the
/// bound; an index becomes a partial one. Both are recognized by the text of the bound.
final class PartitionParts {
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
    void add(long of, List<Statement.ColumnDefinition> columns, List<TableConstraint> constraints) {
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
                addNotNull(place, i);
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

    void addNotNull(Partition place, int column) {
        Table table = table(place);
        Column own = table.columns().get(column);
        String text = Quoting.name(own.name()) + NOT_NULL;
        String condition = condition(place);
        boolean demanded =
                !own.nullable()
                        || table.constraints().declared().stream()
                                .anyMatch(check ->
                                        text.equals(Partitions.ownCheck(condition, check)));
        if (!demanded) {
            String name = (name(place) + "_" + own.name() + "_not_null").toLowerCase(Locale.ROOT);
            addCheck(place, name, text);
        }
    }

    /// `text`, which may name `place`, with the name of its table.
    private String ofTable(Partition place, String text) {
        return Renaming.table(text, name(place), table(place).name());
    }

    /// Adds a check of the rows of `place`, called `name` or, if that is taken, similarly.
    void addCheck(Partition place, String name, String text) {
        Table table = table(place);
        List<Check> checks = new ArrayList<>(table.constraints().checks());
        checks.add(
                new Check(
                        ConstraintBinder.unused(table, name),
                        Partitions.check(condition(place), ofTable(place, text))));
        transaction.redefine(table.withConstraints(table.constraints().withChecks(checks)), null);
    }

    private void add(Partition place, TableConstraint constraint) {
        Table table = table(place);
        ConstraintBinder binder = new ConstraintBinder(source, catalog());
        switch (constraint) {
            case TableConstraint.CheckDefinition check -> {
                Table with = binder.with(table.withName(name(place)), check);
                Check added = with.constraints().declared().getLast();
                addCheck(place, added.name(), check.text());
            }
            case TableConstraint.KeyDefinition key -> {
                List<Integer> columns = binder.positions(table, key.columns());
                if (isShared(table, columns, key.primary(), key.deferred())) {
                    return;
                }
                if (key.primary() && !table.primaryKey().isEmpty()) {
                    throw source.error(
                            Kind.INVALID_DEFINITION,
                            key.position(),
                            "A partition has the primary key of its table; leave out PRIMARY KEY");
                }
                if (key.deferred()) {
                    throw source.error(
                            Kind.NOT_SUPPORTED,
                            key.position(),
                            "Keys of single partitions are tested at the end of each statement;"
                                    + " leave out INITIALLY DEFERRED, or add the key to the whole"
                                    + " table");
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
                addIndex(
                        place,
                        new Index(name, Index.Kind.BTREE, true, columns).withNulls(key.nulls()));
                for (int column : key.primary() ? columns : List.<Integer>of()) {
                    addNotNull(place, column);
                }
            }
            case TableConstraint.ForeignKeyDefinition key ->
                    throw source.error(
                            Kind.NOT_SUPPORTED,
                            key.position(),
                            "A partition has the foreign keys of its table; add the key to the"
                                    + " table");
        }
    }

    /// Whether `table` has a key of `columns` for all its partitions.
    private static boolean isShared(
            Table table, List<Integer> columns, boolean primary, boolean deferred) {
        return columns.equals(table.primaryKey())
                || (!primary
                        && table.indexes().stream()
                                .anyMatch(index ->
                                        index.constraint()
                                                && (deferred || !index.deferred())
                                                && index.columns().equals(columns)));
    }

    /// Adds `index` of the table, restricted to the rows of `place`.
    void addIndex(Partition place, Index index) {
        Table table = table(place);
        Index.Terms wanted = index.terms() == null ? terms(table, index.columns()) : index.terms();
        Index.Terms own = Alterations.reworded(wanted, text -> ofTable(place, text));
        Index.Terms restricted =
                new Index.Terms(
                        own.expressions(),
                        own.types(),
                        Partitions.restricted(condition(place), own.condition()));
        transaction.createIndex(
                table,
                new Index(index.name(), index.unique(), restricted)
                        .withNulls(index.nulls())
                        .withOrders(index.orders()));
    }

    private static Index.Terms terms(Table table, List<Integer> columns) {
        List<String> texts = new ArrayList<>();
        List<Type> types = new ArrayList<>();
        for (int column : columns) {
            texts.add(Quoting.name(table.columns().get(column).name()));
            types.add(table.columns().get(column).type());
        }
        return new Index.Terms(texts, types, null);
    }

    /// The index that CREATE INDEX on the partition `place` makes: `index`, restricted to its rows.
    void createIndex(Partition place, Index index, int position) {
        if (index.kind() != Index.Kind.BTREE) {
            throw source.error(
                    Kind.NOT_SUPPORTED,
                    position,
                    "An index of a partition alone is a BTREE; create it on the table");
        }
        addIndex(place, index);
    }

    /// The column that `text`, the condition of an own check, demands; null if it is another condition.
    static @Nullable String required(String text) {
        return text.endsWith(NOT_NULL)
                ? text.substring(0, text.length() - NOT_NULL.length())
                : null;
    }

    /// Checks that none of `places`, which come to another table, has constraints or indexes of its own.
    void refuseOwn(Partitions partitions, List<Partition> places, int position) {
        Table table = partitions.table();
        for (Partition place : places) {
            String own = partitions.condition(place);
            boolean has =
                    table.indexes().stream().anyMatch(index -> Partitions.isOwn(own, index))
                            || table.constraints().declared().stream()
                                    .anyMatch(check -> Partitions.ownCheck(own, check) != null);
            if (has) {
                throw source.error(
                        Kind.NOT_SUPPORTED,
                        position,
                        "Partition \""
                                + partitions.name(place)
                                + "\" has constraints or indexes of its own; drop them first, and"
                                + " add them again afterwards");
            }
        }
    }

    /// Drops the constraints and indexes of `places` alone.
    void drop(Partitions partitions, List<Partition> places) {
        Table table = partitions.table();
        List<String> conditions = places.stream().map(partitions::condition).toList();
        for (Index index : table.indexes()) {
            if (conditions.stream().anyMatch(own -> Partitions.isOwn(own, index))) {
                transaction.dropIndex(now(table), index);
            }
        }
        List<Check> checks = new ArrayList<>(table.constraints().checks());
        if (checks.removeIf(
                check ->
                        conditions.stream()
                                .anyMatch(own -> Partitions.ownCheck(own, check) != null))) {
            Table now = now(table);
            transaction.redefine(now.withConstraints(now.constraints().withChecks(checks)), null);
        }
    }

    private Table now(Table table) {
        return Objects.requireNonNull(catalog().table(table.id()));
    }

    /// ALTER INDEX ATTACH PARTITION. An index of the table has the rows of all partitions, so that of the partition
    /// alone is dropped. There is none if the table already had such a key.
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
        Partitions partitions = Partitions.of(catalog(), other);
        if (partitions == null
                || partitions.conditions().values().stream()
                        .noneMatch(own -> Partitions.isOwn(own, part))) {
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
            case Alteration.ValidateConstraint validate -> {
                if (!isOwn(place, validate.constraint())
                        && !isShared(table, validate.constraint())) {
                    throw unknown(place, validate.constraint());
                }
            }
            case Alteration.TuneColumn _ -> {}
            case Alteration.IfColumnExists column -> {
                if (table.column(column.column().name()) >= 0) {
                    alter(place, column.change(), name);
                }
            }
            case Alteration.SetNullable set -> {
                int column =
                        new ConstraintBinder(source, catalog())
                                .positions(table, List.of(set.column()))
                                .getFirst();
                if (!set.nullable()) {
                    addNotNull(place, column);
                } else if (!dropNotNull(place, column)) {
                    throw inherited(
                            Kind.INVALID_DEFINITION, set.column().position(), "The NOT NULLs");
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
            case Alteration.SetUpdate set ->
                    throw inherited(Kind.NOT_SUPPORTED, set.column().position(), "The defaults");
            case Alteration.FillNull fill ->
                    throw inherited(Kind.NOT_SUPPORTED, fill.column().position(), "The defaults");
            case Alteration.DropExpression drop ->
                    throw inherited(
                            Kind.INVALID_DEFINITION, drop.column().position(), "The columns");
            case Alteration.ChangeDeferral time ->
                    throw inherited(
                            Kind.INVALID_DEFINITION,
                            time.constraint().position(),
                            "The foreign keys");
            case Alteration.RenameConstraint _ ->
                    throw inherited(Kind.NOT_SUPPORTED, position, "The names of constraints");
            case Alteration.ChangeIdentity _,
                    Alteration.DropIdentity _,
                    Alteration.RenameTo _,
                    Alteration.AttachPartition _,
                    Alteration.DetachPartition _ ->
                    throw inherited(Kind.NOT_SUPPORTED, position, "The identity columns");
        }
    }

    private SqlException inherited(Kind kind, int position, String what) {
        return source.error(
                kind, position, what + " of a partition come from its table; alter the table");
    }

    private boolean dropNotNull(Partition place, int column) {
        Table table = table(place);
        String text = Quoting.name(table.columns().get(column).name()) + NOT_NULL;
        String own = condition(place);
        List<Check> checks = new ArrayList<>(table.constraints().checks());
        boolean found = checks.removeIf(check -> text.equals(Partitions.ownCheck(own, check)));
        if (found) {
            transaction.redefine(
                    table.withConstraints(table.constraints().withChecks(checks)), null);
        }
        return found || table.columns().get(column).nullable();
    }

    private void dropConstraint(Partition place, Alteration.DropConstraint drop) {
        Table table = table(place);
        Identifier name = drop.constraint();
        if (name.name().isEmpty()) {
            throw inherited(Kind.INVALID_DEFINITION, name.position(), "The primary keys");
        } else if (drop.foreign()) {
            throw inherited(Kind.INVALID_DEFINITION, name.position(), "The foreign keys");
        }
        String own = condition(place);
        Index index = table.index(name.name());
        if (index != null && Partitions.isOwn(own, index)) {
            transaction.dropIndex(table, index);
            return;
        }
        List<Check> checks = new ArrayList<>(table.constraints().checks());
        if (checks.removeIf(
                check ->
                        check.name().equalsIgnoreCase(name.name())
                                && Partitions.ownCheck(own, check) != null)) {
            transaction.redefine(
                    table.withConstraints(table.constraints().withChecks(checks)), null);
            return;
        }
        if (isShared(table, name)) {
            throw inherited(Kind.INVALID_DEFINITION, name.position(), "The constraints");
        }
        if (!drop.ifExists()) {
            throw unknown(place, name);
        }
    }

    private SqlException unknown(Partition place, Identifier constraint) {
        return source.error(
                Kind.UNKNOWN_OBJECT,
                constraint.position(),
                "Partition \""
                        + name(place)
                        + "\" has no constraint \""
                        + constraint.name()
                        + "\"");
    }

    /// Whether `place` alone has a constraint `name`.
    private boolean isOwn(Partition place, Identifier name) {
        Table table = table(place);
        String own = condition(place);
        Index index = table.index(name.name());
        return (index != null && Partitions.isOwn(own, index))
                || hasCheck(table, name, List.of(own));
    }

    /// Whether `table` has a constraint `name` for all its partitions.
    private boolean isShared(Table table, Identifier name) {
        Partitions partitions = Objects.requireNonNull(Partitions.of(catalog(), table));
        return ConstraintBinder.names(table).stream().anyMatch(name.name()::equalsIgnoreCase)
                && !hasCheck(table, name, partitions.conditions().values());
    }

    /// Whether a check `name` is one of a partition alone that has one of `conditions`.
    private static boolean hasCheck(Table table, Identifier name, Collection<String> conditions) {
        return table.constraints().declared().stream()
                .anyMatch(check ->
                        check.name().equalsIgnoreCase(name.name())
                                && conditions.stream()
                                        .anyMatch(own -> Partitions.ownCheck(own, check) != null));
    }
}

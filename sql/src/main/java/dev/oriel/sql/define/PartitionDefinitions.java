package dev.oriel.sql.define;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.bind.ConstraintBinder;
import dev.oriel.sql.bind.Partitions;
import dev.oriel.sql.bind.SelectBinder;
import dev.oriel.sql.bind.TableExpressions;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Quoting;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.PartitionBound;
import dev.oriel.sql.syntax.PartitionBy;
import dev.oriel.sql.syntax.PartitionStatement;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.syntax.Statement.OnCommit;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ConstraintException;
import dev.oriel.table.definition.ForeignKey;
import dev.oriel.table.definition.Partition;
import dev.oriel.table.definition.Partition.Strategy;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.definition.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Creates and drops partitions; [PartitionMoves] attaches and detaches them, [PartitionParts] gives them constraints
/// and indexes of their own.
final class PartitionDefinitions {
    private final SqlText source;
    private final Execution execution;
    private final TableTransaction transaction;
    private final Definitions definitions;

    PartitionDefinitions(SqlText source, Execution execution, Definitions definitions) {
        this.source = source;
        this.execution = execution;
        this.transaction = execution.transaction();
        this.definitions = definitions;
    }

    private Catalog catalog() {
        return transaction.catalog();
    }

    void run(PartitionStatement statement) {
        switch (statement) {
            case PartitionStatement.Create create -> create(create);
            case PartitionStatement.AttachIndex attach ->
                    new PartitionParts(source, transaction).attach(attach);
        }
    }

    /// Makes `table` a partitioned one.
    void divide(Table table, PartitionBy by) {
        List<String> key = key(table, by);
        transaction.create(new Partition(0, table.id(), 0, "", by.strategy(), key));
        Partitions.checkKeys(source, by.position(), table, key);
        Partitions.refresh(transaction);
    }

    /// Texts of the key of partitions of `table`.
    private List<String> key(Table table, PartitionBy by) {
        if (by.strategy() == Strategy.LIST && by.key().size() > 1) {
            throw source.error(
                    Kind.OBJECT_DEFINITION,
                    by.position(),
                    "Partitions by LIST have one key; name one column, or use RANGE");
        }
        ConstraintBinder constraints = new ConstraintBinder(source, catalog());
        List<String> key = new ArrayList<>();
        for (Statement.IndexTerm term : by.key()) {
            Identifier name = term.column();
            if (name != null) {
                int column = constraints.positions(table, List.of(name)).getFirst();
                if (table.columns().get(column).generated()) {
                    throw source.error(
                            Kind.OBJECT_DEFINITION,
                            name.position(),
                            "Column \""
                                    + name.name()
                                    + "\" is generated; partition by the columns that it is"
                                    + " computed from");
                }
                key.add(Quoting.name(table.columns().get(column).name()));
                checkHash(table, by, key.getLast(), name.position());
                continue;
            }
            Scalar bound = TableExpressions.term(table, source, term.expression());
            TableExpressions.refuseOutside(
                    table, source, term.expression(), bound, "A key of partitions");
            TableExpressions.reread(table, source, term.expression().position(), term.text());
            if (TableExpressions.isConstant(bound)) {
                throw source.error(
                        Kind.OBJECT_DEFINITION,
                        term.expression().position(),
                        "The key of partitions is a constant; use columns");
            }
            key.add(term.text());
            checkHash(table, by, term.text(), term.expression().position());
        }
        return key;
    }

    /// Checks that the hash of a part of the key, computed from its text, stays the same.
    private void checkHash(Table table, PartitionBy by, String text, int position) {
        Type type = TableExpressions.term(table, text).type();
        if (by.strategy() != Strategy.HASH || type.name() == Type.Name.TIMESTAMP_TZ) {
            return; // the hash of a TIMESTAMP_TZ is that of its number of seconds
        }
        String cast = "CAST((" + text + ") AS TEXT)";
        Scalar bound = TableExpressions.term(table, cast);
        if (!TableExpressions.outside(table, cast, bound, null).isEmpty()) {
            throw source.error(
                    Kind.OBJECT_DEFINITION,
                    position,
                    "The text of the key, and so its hash, depends on labels or on the time zone;"
                            + " partition by RANGE or LIST");
        }
    }

    /// The place of the partitioned table or partition `name`.
    ///
    /// @throws SqlException if it has no partitions
    Partition parent(Identifier name) {
        Partition place = SelectBinder.place(catalog(), name.path());
        if (place == null) {
            SelectBinder.table(source, catalog(), name); // which is there
        }
        if (place == null || place.strategy() == Strategy.NONE) {
            throw source.error(
                    Kind.OBJECT_DEFINITION,
                    name.position(),
                    "Table \""
                            + name.name()
                            + "\" is not partitioned; create it with PARTITION BY");
        }
        return place;
    }

    private void create(PartitionStatement.Create create) {
        Partition parent = parent(create.parent());
        Table table = Partitions.around(catalog(), parent).table();
        String schema =
                definitions.schema(
                        create.name(),
                        create.temporary() != null
                                || (table.temporary() && create.name().schema().isEmpty()));
        if (definitions.exists(create.name(), create.ifNotExists(), schema)) {
            return;
        }
        if (Catalog.isTemporary(schema) != table.temporary()) {
            throw source.error(
                    Kind.WRONG_OBJECT,
                    create.name().position(),
                    "A partition is temporary if its table is; "
                            + (table.temporary() ? "say TEMPORARY" : "leave out TEMPORARY"));
        }
        if (create.temporary() != null && create.temporary() != OnCommit.PRESERVE) {
            throw source.error(
                    Kind.NOT_SUPPORTED,
                    create.name().position(),
                    "A partition has the ON COMMIT of its table; leave it out");
        }
        Partition made = add(parent, create.bound(), create.name(), schema, columns(parent, table));
        PartitionBy by = create.partitioned();
        if (by != null) {
            List<String> key = key(table, by);
            transaction.create(
                    new Partition(
                            made.id(), made.of(), made.parent(), made.bound(), by.strategy(), key));
            Partitions.checkKeys(source, by.position(), table, key);
            Partitions.refresh(transaction);
        }
        new PartitionParts(source, transaction)
                .add(made.of(), create.columns(), create.constraints());
    }

    /// Names of the columns of `place`, in its order.
    private List<String> columns(Partition place, Table table) {
        View view = catalog().view(place.of());
        return view == null ? table.columns().stream().map(Column::name).toList() : view.columns();
    }

    /// Adds a partition of `parent` without rows.
    Partition add(
            Partition parent,
            PartitionBound bound,
            Identifier name,
            String schema,
            List<String> columns) {
        Partitions before = Partitions.around(catalog(), parent);
        String text = before.bound(source, parent, bound, name.name(), execution);
        checkRest(before, parent, text, name);
        View view =
                transaction.create(
                        new View(
                                0,
                                name.name(),
                                columns,
                                columns,
                                "",
                                schema,
                                View.CheckOption.NONE));
        Partition made =
                (Partition)
                        transaction.create(
                                new Partition(
                                        0, view.id(), parent.of(), text, Strategy.NONE, List.of()));
        Partitions.refresh(transaction);
        return made;
    }

    /// Checks that the DEFAULT partition has no rows that a new partition with the bound `text` would take.
    private void checkRest(Partitions partitions, Partition parent, String text, Identifier name) {
        Partition rest = partitions.rest(parent);
        View view = rest == null ? null : catalog().view(rest.of());
        if (view == null) {
            return;
        }
        String where = partitions.taken(parent, text);
        String query =
                "SELECT 1 FROM "
                        + InnerStatements.named(view.schema(), view.name())
                        + " WHERE "
                        + where;
        if (new InnerStatements(execution).any(query)) {
            throw source.error(
                    new ConstraintException(
                            ConstraintException.Kind.CHECK,
                            "The DEFAULT partition has rows within the bound of a new one; move or"
                                    + " delete them first",
                            "partition=" + view.name() + " new=" + name.name()),
                    name.position());
        }
    }

    /// Drops the partition `place` with its rows and the partitions below it.
    void drop(Partition place, Identifier name, boolean cascade) {
        View view = view(place);
        Partitions partitions = Partitions.around(catalog(), place);
        definitions.dropReferences(partitions.table(), name, Set.of(), cascade);
        new InnerStatements(execution)
                .change("DELETE FROM " + InnerStatements.named(view.schema(), view.name()));
        List<Partition> gone = new ArrayList<>(List.of(place));
        gone.addAll(partitions.below(place));
        new PartitionParts(source, transaction).drop(partitions, gone);
        gone.reversed().forEach(each -> transaction.drop(view(each)));
        Partitions.refresh(transaction);
    }

    /// Drops the partitions of `table`, whose rows are about to be dropped.
    static void dropAll(TableTransaction transaction, Table table) {
        Partition place = transaction.catalog().partition(table.id());
        if (place == null) {
            return;
        }
        for (Partition below : Partitions.around(transaction.catalog(), place).below(place)) {
            View view = transaction.catalog().view(below.of());
            if (view != null) {
                transaction.drop(view);
            }
        }
    }

    private View view(Partition place) {
        View view = catalog().view(place.of());
        if (view == null) {
            throw new IllegalStateException("a partition has lost its view");
        }
        return view;
    }

    /// Checks that no foreign key would change other rows if rows of `table` are removed.
    void checkUnreferred(Table table, Identifier name) {
        for (Table other : catalog().tables()) {
            for (ForeignKey key : other.constraints().foreignKeys()) {
                boolean acts =
                        switch (key.onDelete()) {
                            case NO_ACTION, RESTRICT -> false;
                            case CASCADE, SET_NULL, SET_DEFAULT -> true;
                        };
                if (key.parent() == table.id() && acts) {
                    throw source.error(
                            Kind.NOT_SUPPORTED,
                            name.position(),
                            "Foreign key \""
                                    + key.name()
                                    + "\" of table \""
                                    + other.name()
                                    + "\" would change rows that refer to the partition; drop the key"
                                    + " first");
                }
            }
        }
    }
}

package dev.oriel.sql.define;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.bind.SelectBinder;
import dev.oriel.sql.change.StatementTriggers;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.ExternalTable;
import dev.oriel.table.definition.ForeignKey;
import dev.oriel.table.definition.Sequence;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.View;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Runs TRUNCATE in a transaction.
final class Truncation {
    private final SqlText source;
    private final Execution execution;
    private final TableTransaction transaction;
    private final Catalog catalog;

    Truncation(SqlText source, Execution execution) {
        this.source = source;
        this.execution = execution;
        this.transaction = execution.transaction();
        this.catalog = transaction.catalog();
    }

    void run(Statement.Truncate truncate) {
        Map<Long, Table> emptied = new LinkedHashMap<>();
        List<Identifier> parts = new ArrayList<>();
        Map<Long, Table> storing = new LinkedHashMap<>();
        for (Identifier name : truncate.tables()) {
            checkWhole(name);
            if (SelectBinder.partition(catalog, name) != null) {
                parts.add(name);
                Table table = SelectBinder.storing(source, catalog, name);
                storing.put(table.id(), table);
            } else if (catalog.external(name.path()) == null) {
                Table table = SelectBinder.ordinary(source, catalog, name);
                emptied.put(table.id(), table);
            }
        }
        if (truncate.cascade()) {
            addReferring(storing.values(), emptied);
            addReferring(emptied.values(), emptied);
        }
        for (Identifier name : truncate.tables()) {
            Table table = SelectBinder.storing(catalog, name.path());
            if (table != null) {
                checkUnreferred(table, name, emptied.keySet());
            }
        }
        if (catalog.hasTriggers()) {
            StatementTriggers.truncate(
                    emptied.values(), execution, () -> empty(truncate, emptied, parts));
        } else {
            empty(truncate, emptied, parts);
        }
    }

    private void empty(
            Statement.Truncate truncate, Map<Long, Table> emptied, List<Identifier> parts) {
        transaction.truncate(emptied.values());
        for (Identifier name : parts) {
            View view = catalog.view(name.path());
            if (view != null) {
                new InnerStatements(execution)
                        .change("DELETE FROM " + InnerStatements.named(view.schema(), view.name()));
            }
        }
        for (Sequence sequence : catalog.sequences()) {
            if (truncate.restartIdentity() && emptied.containsKey(sequence.owner())) {
                transaction.restart(sequence, sequence.start());
            }
        }
        for (Identifier name : truncate.tables()) {
            ExternalTable external = catalog.external(name.path());
            if (external != null) {
                new ExternalDefinition(source, execution).empty(external, name);
            }
        }
    }

    private void checkWhole(Identifier name) {
        Table table = name.only() ? catalog.table(name.path()) : null;
        if (table != null && catalog.partition(table.id()) != null) {
            throw source.error(
                    Kind.WRONG_OBJECT,
                    name.position(),
                    "The rows of \"" + name.name() + "\" are in its partitions; leave out ONLY");
        }
    }

    /// Adds the tables that refer to `referred` by foreign keys, directly or indirectly, to `tables`.
    private void addReferring(Collection<Table> referred, Map<Long, Table> tables) {
        Deque<Table> parents = new ArrayDeque<>(referred);
        while (!parents.isEmpty()) {
            Table parent = parents.remove();
            for (Table other : catalog.tables()) {
                if (refers(other, parent) != null
                        && tables.putIfAbsent(other.id(), other) == null) {
                    parents.add(other);
                }
            }
        }
    }

    /// Ensures that only `emptied` tables refer to `table`.
    private void checkUnreferred(Table table, Identifier name, Set<Long> emptied) {
        for (Table other : catalog.tables()) {
            ForeignKey key = emptied.contains(other.id()) ? null : refers(other, table);
            if (key != null) {
                throw source.error(
                        Kind.NOT_SUPPORTED,
                        name.position(),
                        "Foreign key \""
                                + key.name()
                                + "\" of table \""
                                + other.name()
                                + "\" refers to \""
                                + table.name()
                                + "\": TRUNCATE both, or say CASCADE");
            }
        }
    }

    /// A foreign key by which `table` refers to `parent`; null if there is none.
    private static @Nullable ForeignKey refers(Table table, Table parent) {
        for (ForeignKey key : table.constraints().foreignKeys()) {
            if (key.parent() == parent.id()) {
                return key;
            }
        }
        return null;
    }
}

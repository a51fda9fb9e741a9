package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.Nearest;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.definition.Arbiter;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Binds ON CONFLICT of an INSERT, and UPSERT.
final class ConflictBinder {
    private final BindContext around;
    private final SqlText source;
    private final ChangeBinder changes;
    private final ChangedRelation changed;
    private final Table table;

    ConflictBinder(BindContext around, ChangeBinder changes, ChangedRelation changed) {
        this.around = around;
        this.source = around.source();
        this.changes = changes;
        this.changed = changed;
        this.table = changed.table();
    }

    /// Binds `conflict` of `insert`.
    ///
    /// @param targets positions of the columns that INSERT gives
    Command.OnConflict bind(
            Statement.Insert insert, Statement.OnConflict conflict, List<Integer> targets) {
        boolean byPrimaryKey = conflict.all() && conflict.columns().isEmpty();
        Arbiter arbiter = byPrimaryKey ? primaryKey(conflict) : arbiter(conflict);
        if (conflict.assignments() == null) {
            return new Command.OnConflict(arbiter, null);
        }
        if (arbiter.any() && !conflict.anyKey()) {
            throw source.error(
                    Kind.SYNTAX,
                    conflict.position(),
                    "ON CONFLICT DO UPDATE needs the key that decides: ON CONFLICT (columns)");
        }
        int width = table.columns().size();
        Scope own = changed.scope(ChangeBinder.called(insert.table(), insert.alias()));
        Scope both = own.beside(Scope.of(changed.relation("EXCLUDED", "", width, true)));
        if (conflict.anyKey()) { // else the name of a column alone is ambiguous, as in PostgreSQL
            both = new Scope(both.relations(), own.entries());
        }
        ScalarBinder binder = new ScalarBinder(around, both);
        List<Command.Assignment> assignments =
                conflict.all()
                        ? allExcluded(targets, width, arbiter)
                        : changes.assignments(changed, conflict.assignments(), binder);
        if (conflict.all() && ChangeBinder.hasOnUpdate(table)) {
            assignments = UpdatedColumns.with(table, assignments, binder);
        }
        Scalar where =
                conflict.where() == null ? null : binder.condition(conflict.where(), "WHERE");
        return new Command.OnConflict(
                arbiter,
                new Command.ConflictUpdate(assignments, where, source.at(conflict.position())));
    }

    private Arbiter primaryKey(Statement.OnConflict conflict) {
        if (table.primaryKey().isEmpty()) {
            throw source.error(
                    Kind.INVALID_REFERENCE,
                    conflict.position(),
                    "UPSERT needs a primary key, but table \"" + table.name() + "\" has none");
        }
        return Arbiter.PRIMARY_KEY;
    }

    private List<Command.Assignment> allExcluded(
            List<Integer> targets, int width, Arbiter arbiter) {
        List<Command.Assignment> assignments = new ArrayList<>();
        for (int target : targets) {
            if (target < 0) {
                continue; // of DEFAULT VALUES
            }
            Column column = table.columns().get(target);
            boolean decides =
                    arbiter.equals(Arbiter.PRIMARY_KEY) && table.primaryKey().contains(target);
            if (!decides && !column.generated()) {
                assignments.add(
                        new Command.Assignment(
                                target,
                                new Scalar.ColumnRef(
                                        width + target,
                                        column.type(),
                                        true,
                                        "EXCLUDED." + column.name())));
            }
        }
        return List.copyOf(assignments);
    }

    private Arbiter arbiter(Statement.OnConflict conflict) {
        Identifier name = conflict.constraint();
        if (name != null) {
            Index index = table.index(name.name());
            if (index != null && index.deferred()) {
                throw source.error(
                        Kind.OBJECT_STATE,
                        name.position(),
                        "Constraint \""
                                + name.name()
                                + "\" is tested at the commit, too late for ON CONFLICT; name a"
                                + " constraint that is not INITIALLY DEFERRED");
            }
            if (index != null && index.constraint()) {
                return new Arbiter(false, index);
            }
            if (!table.primaryKey().isEmpty()
                    && ConstraintBinder.primaryKeyName(table).equalsIgnoreCase(name.name())) {
                return Arbiter.PRIMARY_KEY;
            }
            throw source.error(
                    Kind.UNKNOWN_OBJECT,
                    name.position(),
                    "Table \""
                            + table.name()
                            + "\" has no unique constraint \""
                            + name.name()
                            + "\""
                            + Nearest.hint(name.name(), ConstraintBinder.names(table)));
        }
        if (conflict.index() != null) {
            if (changed.view() != null) {
                throw source.error(
                        Kind.NOT_SUPPORTED,
                        conflict.position(),
                        "ON CONFLICT of a view needs columns of a key, not terms of an index; name"
                                + " the table instead");
            }
            return new ConflictIndexes(source, table, around.binding().parameters())
                    .arbiter(conflict.index());
        }
        if (conflict.columns().isEmpty()) {
            return Arbiter.ANY;
        }
        Set<Integer> columns = new HashSet<>();
        conflict.columns().forEach(column -> columns.add(changed.target(source, column)));
        if (columns.equals(new HashSet<>(table.primaryKey()))) {
            return Arbiter.PRIMARY_KEY;
        }
        Arbiter ofPart =
                changed.conditions().isEmpty()
                        ? null
                        : new ConflictIndexes(source, table, around.binding().parameters())
                                .arbiter(columns, changed);
        if (ofPart != null) {
            return ofPart;
        }
        for (Index index : table.indexes()) {
            if (index.unique() && columns.equals(new HashSet<>(index.columns()))) {
                return new Arbiter(false, index);
            }
        }
        throw source.error(
                Kind.INVALID_REFERENCE,
                conflict.columns().getFirst().position(),
                "ON CONFLICT needs the columns of a primary key or of a unique index, all of them");
    }
}

package dev.oriel.sql.engine;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.bind.ConstraintBinder;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.ForeignKey;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// SET CONSTRAINTS: whether foreign keys and deferred keys are tested at the commit or at the end of each statement.
final class ConstraintTimes {
    private ConstraintTimes() {}

    /// Chooses for the open transaction; without one there is nothing to choose.
    static void set(Statement.SetConstraints set, LocalSession session, SqlText source) {
        Catalog catalog = session.catalog();
        Set<ForeignKey.Of> keys = new HashSet<>();
        for (Identifier name : set.names()) {
            keys.addAll(called(name, set.deferred(), catalog, source));
        }
        if (session.inTransaction() && !session.isReadOnly()) {
            session.writing(false).defer(set.names().isEmpty() ? null : keys, set.deferred());
        }
    }

    /// The keys called `name`, in the first schema of the search path that has a constraint of the name.
    private static Set<ForeignKey.Of> called(
            Identifier name, boolean later, Catalog catalog, SqlText source) {
        String given = name.schema().isEmpty() ? null : catalog.schema(name.schema());
        if (given == null && !name.schema().isEmpty()) {
            throw source.error(
                    SqlException.Kind.UNKNOWN_SCHEMA,
                    name.position(),
                    "There is no schema \"" + name.schema() + "\"");
        }
        for (String schema : given == null ? catalog.searched() : List.of(given)) {
            Set<ForeignKey.Of> keys = new HashSet<>();
            boolean found = false;
            boolean fixed = false;
            for (Table table : catalog.tables()) {
                if (table.schema().equalsIgnoreCase(schema) && has(table, name)) {
                    found = true;
                    String key = deferrable(table, name);
                    fixed |= key == null;
                    if (key != null) {
                        keys.add(new ForeignKey.Of(table.id(), key));
                    }
                }
            }
            if (later && fixed) {
                throw source.error(
                        SqlException.Kind.WRONG_OBJECT,
                        name.position(),
                        "Constraint \""
                                + name.name()
                                + "\" is tested at the end of each statement; only a foreign key"
                                + " that is DEFERRABLE, or a UNIQUE constraint INITIALLY DEFERRED,"
                                + " can be tested at the commit");
            }
            if (found) {
                return keys;
            }
        }
        throw source.error(
                SqlException.Kind.UNKNOWN_OBJECT,
                name.position(),
                "There is no constraint \"" + name.name() + "\"");
    }

    private static @Nullable String deferrable(Table table, Identifier name) {
        for (ForeignKey key : table.constraints().foreignKeys()) {
            if (key.deferrable() && key.name().equalsIgnoreCase(name.name())) {
                return key.name();
            }
        }
        Index index = table.index(name.name());
        return index != null && index.deferred() ? index.name() : null;
    }

    private static boolean has(Table table, Identifier name) {
        return ConstraintBinder.names(table).stream().anyMatch(name.name()::equalsIgnoreCase);
    }
}

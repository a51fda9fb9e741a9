package dev.oriel.sql.change;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.Execution;
import dev.oriel.table.definition.Catalog;

/// Changes of temporary tables alone, which a read-only transaction may make.
public final class TemporaryChanges {
    private TemporaryChanges() {}

    /// Whether `command` changes rows of temporary tables, and nothing else by itself.
    public static boolean are(Command command) {
        return switch (command) {
            case Command.ExternalChange _, Command.Definition _ -> false;
            case Command.RowChange rows -> Catalog.isTemporary(rows.table().schema());
            case Command.Chain chain ->
                    chain.parts().stream().allMatch(part -> are(part.change()))
                            && (chain.last() instanceof Command.Query || are(chain.last()));
            default -> false;
        };
    }

    /// Refuses `command` in the body of a trigger or routine if the transaction is read-only.
    static void check(Command command, Execution execution) {
        if (execution.given().isReadOnly() && !are(command)) {
            throw new SqlException(
                    Kind.READ_ONLY,
                    "The transaction is read-only: a trigger or function in it changes temporary"
                            + " tables alone",
                    -1,
                    null);
        }
    }
}

package dev.oriel.sql.define;

import dev.oriel.sql.bind.Compiler;
import dev.oriel.sql.change.Change;
import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Quoting;
import dev.oriel.sql.run.Operator;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.TriggerCalls;
import dev.oriel.table.definition.Catalog;

/// Reads and changes rows within a definition, by statements. They fire no triggers, as TRUNCATE does not: rows move
/// into a partition or out of it, or go with it. No rows of other tables follow them: a definition refuses a partition
/// whose rows others refer to, or drops these keys.
final class InnerStatements {
    private final Execution execution;

    InnerStatements(Execution execution) {
        this.execution = execution;
    }

    /// The name of a table or view for a statement, with its schema.
    static String named(String schema, String name) {
        String shown =
                schema.isEmpty()
                        ? "public"
                        : Catalog.isTemporary(schema) ? "pg_temp" : Quoting.name(schema);
        return shown + "." + Quoting.name(name);
    }

    /// Runs an INSERT or DELETE; returns its number of rows.
    long change(String text) {
        Command command = command(text);
        Change change = Change.of(command, execution, null);
        if (change == null) {
            throw new IllegalStateException("no change: " + text);
        }
        TableTransaction transaction = execution.transaction();
        execution.triggering(null);
        TriggerCalls around = transaction.triggers(TriggerCalls.NONE);
        try {
            long rows = change.run();
            transaction.settle();
            execution.reset();
            return rows;
        } finally {
            transaction.triggers(around);
        }
    }

    /// Whether the query `text` has a row.
    boolean any(String text) {
        if (!(command(text) instanceof Command.Query query)) {
            throw new IllegalStateException("no query: " + text);
        }
        Operator rows = Operator.ofWhole(query.plan(), execution);
        rows.open();
        try {
            return rows.next();
        } finally {
            rows.close();
            execution.reset();
        }
    }

    private Command command(String text) {
        return Compiler.compile(text, execution.transaction().catalog()).command();
    }
}

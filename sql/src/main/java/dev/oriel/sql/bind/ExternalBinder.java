package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.file.ExternalForm;
import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.definition.ExternalTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Binds changes of external tables: INSERT, UPDATE and DELETE of one table, without RETURNING.
final class ExternalBinder {
    private final ChangeBinder changes;
    private final SqlText source;

    ExternalBinder(BindContext around, ChangeBinder changes) {
        this.changes = changes;
        this.source = around.source();
    }

    Command.RowChange bind(ExternalTable external, Statement.RowChange change) {
        ChangedRelation changed = ChangedRelation.of(ExternalForm.table(external));
        if (!change.returning().isEmpty()) {
            throw refused(change.position(), "returns no rows");
        }
        return switch (change) {
            case Statement.Insert insert -> {
                if (insert.onConflict() != null) {
                    throw refused(insert.onConflict().position(), "has no keys to conflict with");
                }
                yield change(external, change, changes.insert(changed, insert), null, List.of());
            }
            case Statement.Update update -> {
                if (update.from() != null) {
                    throw refused(update.position(), "cannot be changed by a join");
                }
                checkWhole(update.limit());
                rewritable(external, update);
                ScalarBinder binder = changes.binder(changed, update.table(), update.alias());
                yield change(
                        external,
                        change,
                        null,
                        where(binder, update.where()),
                        changes.assignments(changed, update.assignments(), binder));
            }
            case Statement.Delete delete -> {
                if (delete.using() != null) {
                    throw refused(delete.position(), "cannot be changed by a join");
                }
                checkWhole(delete.limit());
                rewritable(external, delete);
                ScalarBinder binder = changes.binder(changed, delete.table(), delete.alias());
                yield change(external, change, null, where(binder, delete.where()), List.of());
            }
            case Statement.Merge merge -> throw refused(merge.position(), "cannot be merged into");
            case Statement.CopyFrom copy ->
                    throw refused(copy.position(), "is a file itself: copy that");
            case Statement.WithChange with -> throw new IllegalStateException("WITH within WITH");
        };
    }

    /// Checks that the file can be rewritten: skipped records and bytes before the rows would be lost.
    private void rewritable(ExternalTable external, Statement.RowChange change) {
        ExternalForm form = ExternalForm.of(external, source.at(change.table().position()));
        if (form.skipped() > 0 || form.headerBytes() > 0) {
            throw refused(
                    change.table().position(),
                    "with ROWSTOSKIP or HEADERBYTESOFFSET can be added to only");
        }
    }

    private void checkWhole(@Nullable Expression limit) {
        if (limit != null) {
            throw refused(limit.position(), "is changed without LIMIT; select its rows by WHERE");
        }
    }

    private static @Nullable Scalar where(ScalarBinder binder, @Nullable Expression where) {
        return where == null ? null : binder.condition(where, "WHERE");
    }

    private Command.RowChange change(
            ExternalTable external,
            Statement.RowChange change,
            Command.@Nullable RowChange insert,
            @Nullable Scalar filter,
            List<Command.Assignment> assignments) {
        return new Command.ExternalChange(
                external,
                ExternalForm.table(external),
                insert,
                filter,
                assignments,
                source.at(change.table().position()));
    }

    private SqlException refused(int position, String why) {
        return source.error(Kind.NOT_SUPPORTED, position, "An external table " + why);
    }
}

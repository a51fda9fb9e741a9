package dev.oriel.sql.syntax;

import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.table.definition.Trigger;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A statement about triggers.
public sealed interface TriggerStatement {
    /// The table or view of its triggers; null if the statement does not name it.
    @Nullable Identifier on();

    /// CREATE TRIGGER.
    ///
    /// @param on its table or view
    /// @param columns the columns of UPDATE OF; empty for all
    /// @param when text of the condition; null if it has none
    /// @param body text of the statements
    record Create(
            boolean orReplace,
            boolean ifNotExists,
            Identifier name,
            Identifier on,
            Trigger.Timing timing,
            Set<Trigger.Event> events,
            List<Identifier> columns,
            boolean perRow,
            Trigger.Names names,
            @Nullable String when,
            String body)
            implements TriggerStatement {}

    /// DROP TRIGGER.
    ///
    /// @param on its table or view; null to look for it
    record Drop(boolean ifExists, Identifier name, @Nullable Identifier on)
            implements TriggerStatement {}

    /// ALTER TABLE ... ENABLE or DISABLE TRIGGER.
    ///
    /// @param name null for all triggers of the table
    record Enable(boolean ifExists, Identifier on, @Nullable Identifier name, boolean enabled)
            implements TriggerStatement {}

    /// ALTER TRIGGER ... RENAME.
    record Rename(boolean ifExists, Identifier name, @Nullable Identifier on, Identifier to)
            implements TriggerStatement {}

    /// COMMENT ON TRIGGER.
    ///
    /// @param text null to remove the comment
    record Comment(Identifier name, @Nullable Identifier on, @Nullable String text)
            implements TriggerStatement {}

    /// Position for errors without one.
    default int position() {
        return switch (this) {
            case Create create -> create.name().position();
            case Drop drop -> drop.name().position();
            case Enable enable -> enable.on().position();
            case Rename rename -> rename.name().position();
            case Comment comment -> comment.name().position();
        };
    }
}

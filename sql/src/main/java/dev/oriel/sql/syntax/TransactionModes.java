package dev.oriel.sql.syntax;

import dev.oriel.store.Isolation;
import org.jspecify.annotations.Nullable;

/// Modes of a transaction.
///
/// @param isolation null for the session's
/// @param readOnly null for the session's
public record TransactionModes(@Nullable Isolation isolation, @Nullable Boolean readOnly) {
    static final TransactionModes NONE = new TransactionModes(null, null);
}

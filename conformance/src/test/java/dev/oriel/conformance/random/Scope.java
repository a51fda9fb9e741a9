package dev.oriel.conformance.random;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The columns that an expression may name: those of the sources of its own query, and of the queries
/// around it.
record Scope(List<Source> sources, @Nullable Scope outer) {
    /// What stands in FROM under a name.
    ///
    /// @param columns its columns with the name before them
    /// @param key the columns that no two rows have in common; empty where rows may be the same
    record Source(Piece piece, List<Piece> columns, List<Piece> key) {}

    /// No columns.
    static final Scope NONE = new Scope(List.of(), null);

    /// The columns of the query's own sources.
    List<Piece> own() {
        return sources.stream().flatMap(source -> source.columns().stream()).toList();
    }

    /// The columns of the queries around it.
    List<Piece> around() {
        return outer == null
                ? List.of()
                : Stream.concat(outer.own().stream(), outer.around().stream()).toList();
    }

    /// What tells the rows of all sources apart; empty where nothing does.
    List<Piece> key() {
        List<Piece> key = new ArrayList<>();
        for (Source source : sources) {
            if (source.key().isEmpty()) {
                return List.of();
            }
            key.addAll(source.key());
        }
        return key;
    }
}

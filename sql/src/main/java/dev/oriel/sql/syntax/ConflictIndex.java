package dev.oriel.sql.syntax;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The unique index that ON CONFLICT describes by its terms.
///
/// @param where a condition that implies that of the index; null if there is none
public record ConflictIndex(List<Expression> terms, @Nullable Expression where) {}

package dev.oriel.sql.syntax;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The rows of a partition: FOR VALUES, or DEFAULT.
public sealed interface PartitionBound {
    int position();

    /// FROM (lower) TO (upper): `lower` is within, `upper` is not.
    record Range(int position, List<Datum> lower, List<Datum> upper) implements PartitionBound {}

    /// IN (values).
    record Values(int position, List<Expression> values) implements PartitionBound {}

    /// WITH (MODULUS, REMAINDER).
    record Remainder(int position, long modulus, long remainder) implements PartitionBound {}

    /// All rows that no other partition takes.
    record Default(int position) implements PartitionBound {}

    /// A value of a range's end, or an infinity.
    ///
    /// @param value null for an infinity
    /// @param infinity negative for MINVALUE, positive for MAXVALUE
    record Datum(int position, @Nullable Expression value, int infinity) {}
}

package dev.oriel.table;

/// What a column gets where a row is written without a value for it. Expressions are text of the
/// language that [Expressions] understands.
public sealed interface ColumnDefault {
    /// DEFAULT: what an INSERT that does not name the column puts there.
    record Default(String expression) implements ColumnDefault {}

    /// GENERATED ALWAYS AS: worked out from the row's other columns whenever it is written, whoever
    /// writes it.
    record Generated(String expression) implements ColumnDefault {}

    /// GENERATED AS IDENTITY: the next value of a sequence of its own.
    ///
    /// @param always whether a value is refused where one is given
    /// @param sequence number of the sequence
    record Identity(boolean always, long sequence) implements ColumnDefault {}
}

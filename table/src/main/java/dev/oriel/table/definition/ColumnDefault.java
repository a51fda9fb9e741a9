package dev.oriel.table.definition;

/// Value of a column in a row that is written without one. Expressions are text of the language that `Expressions`
/// understands.
public sealed interface ColumnDefault {
    /// DEFAULT: used by an INSERT that does not name the column.
    record Default(String expression) implements ColumnDefault {}

    /// GENERATED ALWAYS AS: computed from the row's other columns whenever it is written.
    record Generated(String expression) implements ColumnDefault {}

    /// GENERATED AS IDENTITY: the next value of a sequence of its own.
    ///
    /// @param always whether a given value is refused
    /// @param sequence number of the sequence
    record Identity(boolean always, long sequence) implements ColumnDefault {}
}

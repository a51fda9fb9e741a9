package dev.oriel;

/// Effect of a conflict (SQLState 40001 or 40P01) in a statement on a transaction of several statements.
@Incubating
public enum AfterConflict {
    /// The failed statement has changed nothing, and the transaction continues: its other changes can be
    /// committed.
    CONTINUE,
    /// The transaction can only be rolled back: other statements are refused (25P02), and a commit rolls back and
    /// throws.
    ROLLBACK
}

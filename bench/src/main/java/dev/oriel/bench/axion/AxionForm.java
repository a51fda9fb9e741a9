package dev.oriel.bench.axion;

import dev.oriel.bench.sql.SqlSubject;

/// The four forms of the query. The article calls its columns both `first, second` and `val, val2`; the latter are
/// used here, since no product reserves them.
public enum AxionForm {
    OPEN_ENDED_BOTH("open-ended/both", 2, false),
    OPEN_ENDED_INDEXED("open-ended/indexed", 1, false),
    LIMIT_BOTH("limit/both", 2, true),
    LIMIT_INDEXED("limit/indexed", 1, true);

    /// Number of rows read.
    public static final int READ = 10;

    private final String label;
    private final int columns;
    private final boolean limited;

    AxionForm(String label, int columns, boolean limited) {
        this.label = label;
        this.columns = columns;
        this.limited = limited;
    }

    String label() {
        return label;
    }

    /// `axion/FORM/` and `when`.
    String caseName(String when) {
        return "axion/" + label + "/" + when;
    }

    int columns() {
        return columns;
    }

    /// Whether the statement has an ORDER BY and a LIMIT.
    boolean limited() {
        return limited;
    }

    /// The statement in the dialect of a subject.
    public String sql(SqlSubject subject) {
        String range =
                (columns == 2 ? "SELECT val, val2" : "SELECT val") + " FROM mytable WHERE val > ?";
        return limited ? range + " ORDER BY val " + subject.limitClause() : range;
    }
}

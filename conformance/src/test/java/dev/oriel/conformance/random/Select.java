package dev.oriel.conformance.random;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The parts of a SELECT, and the forms of what is made of such.
///
/// @param distinct whether DISTINCT stands before the items
/// @param items what it returns, each with a name
/// @param from a piece of the sort SOURCE
/// @param group the keys or sets after GROUP BY; null for none
record Select(
        boolean distinct,
        List<Piece> items,
        Piece from,
        @Nullable Piece where,
        @Nullable Piece group,
        @Nullable Piece having) {
    static final String FORM = "SELECT $1$2 FROM $3$4$5$6";

    /// Index of the items among the parts of the form.
    static final int ITEMS = 1;

    static final String GROUP_BY = " GROUP BY $1";

    /// A query, the positions it is ordered by (all of them), and a limit.
    static final String ORDERED = "$1 ORDER BY $2$3";

    static final String WITH = "WITH $1 $2";
    static final String RECURSIVE = "WITH RECURSIVE $1 $2";

    /// A select of all rows of `from`.
    static Select of(List<Piece> items, Piece from) {
        return new Select(false, List.copyOf(items), from, null, null, null);
    }

    Select where(@Nullable Piece condition) {
        return new Select(distinct, items, from, condition, group, having);
    }

    Select having(@Nullable Piece condition) {
        return new Select(distinct, items, from, where, group, condition);
    }

    Select distinct(boolean asked) {
        return new Select(asked, items, from, where, group, having);
    }

    Select group(@Nullable Piece keys) {
        return new Select(distinct, items, from, where, keys, having);
    }

    Select items(List<Piece> others) {
        return new Select(distinct, List.copyOf(others), from, where, group, having);
    }

    Piece piece() {
        return Piece.of(
                Sort.QUERY,
                FORM,
                distinct ? Piece.clause("DISTINCT ") : Piece.NONE,
                Piece.list(", ", items),
                from,
                where == null ? Piece.NONE : Piece.clause(" WHERE $1", where),
                group == null ? Piece.NONE : Piece.clause(GROUP_BY, group),
                having == null ? Piece.NONE : Piece.clause(" HAVING $1", having));
    }
}

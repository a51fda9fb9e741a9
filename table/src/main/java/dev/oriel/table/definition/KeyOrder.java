package dev.oriel.table.definition;

import java.util.List;

/// The order of one column or expression of an index, as declared. NULL is greater than every value unless the
/// order says otherwise: it comes last in ASC and first in DESC.
public enum KeyOrder {
    ASC(false, false),
    DESC(true, true),
    ASC_NULLS_FIRST(false, true),
    DESC_NULLS_LAST(true, false);

    private final boolean descending;
    private final boolean nullsFirst;

    KeyOrder(boolean descending, boolean nullsFirst) {
        this.descending = descending;
        this.nullsFirst = nullsFirst;
    }

    public static KeyOrder of(boolean descending, boolean nullsFirst) {
        if (descending) {
            return nullsFirst ? DESC : DESC_NULLS_LAST;
        }
        return nullsFirst ? ASC_NULLS_FIRST : ASC;
    }

    /// Whether all are [#ASC].
    static boolean isUsual(List<KeyOrder> orders) {
        for (KeyOrder order : orders) { // no stream: a young JVM would load classes for it
            if (order != ASC) {
                return false;
            }
        }
        return true;
    }

    public boolean descending() {
        return descending;
    }

    public boolean nullsFirst() {
        return nullsFirst;
    }

    /// The order of reading backwards.
    public KeyOrder reversed() {
        return of(!descending, !nullsFirst);
    }

    /// As SQL behind a column of CREATE INDEX, with a blank before it; empty for ASC.
    public String suffix() {
        return switch (this) {
            case ASC -> "";
            case DESC -> " DESC";
            case ASC_NULLS_FIRST -> " NULLS FIRST";
            case DESC_NULLS_LAST -> " DESC NULLS LAST";
        };
    }
}

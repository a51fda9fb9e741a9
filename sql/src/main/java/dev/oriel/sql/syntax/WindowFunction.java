package dev.oriel.sql.syntax;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Functions that require a window; every aggregate can have one too.
public enum WindowFunction {
    ROW_NUMBER(Reads.PARTITION, 0, 0),
    RANK(Reads.PARTITION, 0, 0),
    DENSE_RANK(Reads.PARTITION, 0, 0),
    PERCENT_RANK(Reads.PARTITION, 0, 0),
    CUME_DIST(Reads.PARTITION, 0, 0),
    NTILE(Reads.PARTITION, 1, 1),
    LAG(Reads.ROW, 1, 3),
    LEAD(Reads.ROW, 1, 3),
    FIRST_VALUE(Reads.FRAME, 1, 1),
    LAST_VALUE(Reads.FRAME, 1, 1),
    NTH_VALUE(Reads.FRAME, 2, 2),

    /// NTH_VALUE FROM LAST.
    NTH_VALUE_FROM_LAST(Reads.FRAME, 2, 2);

    /// The rows that a function reads, as constants of the compiler.
    private static final class Reads {
        /// The order of all rows.
        static final int PARTITION = 0;

        /// One row of the partition.
        static final int ROW = 1;

        /// One row of the frame.
        static final int FRAME = 2;
    }

    private final int reads;
    private final int least;
    private final int most;

    WindowFunction(int reads, int least, int most) {
        this.reads = reads;
        this.least = least;
        this.most = most;
    }

    public int least() {
        return least;
    }

    public int most() {
        return most;
    }

    public boolean takes(int arguments) {
        return arguments >= least && arguments <= most;
    }

    /// The number of arguments, in words.
    public String arity() {
        String words = least == most ? "" + least : least + " to " + most;
        return words + (most == 1 ? " argument" : " arguments");
    }

    /// Whether it returns a value of one row, so that IGNORE NULLS applies.
    public boolean picks() {
        return reads != Reads.PARTITION;
    }

    /// Whether it reads the frame; the others read the whole partition.
    public boolean framed() {
        return reads == Reads.FRAME;
    }

    /// The functions that are called by their names alone.
    public static Set<WindowFunction> callable() {
        return EnumSet.complementOf(EnumSet.of(NTH_VALUE_FROM_LAST));
    }

    /// The function called `name`, or null.
    public static @Nullable WindowFunction of(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        for (WindowFunction function : values()) {
            if (function.name().equals(upper)) {
                return function;
            }
        }
        return null;
    }
}

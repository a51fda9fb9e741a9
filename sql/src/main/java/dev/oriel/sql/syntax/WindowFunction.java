package dev.oriel.sql.syntax;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Functions that require a window; every aggregate can have one too.
public enum WindowFunction {
    ROW_NUMBER(0, 0),
    RANK(0, 0),
    DENSE_RANK(0, 0),
    PERCENT_RANK(0, 0),
    CUME_DIST(0, 0),
    NTILE(1, 1),
    LAG(1, 3),
    LEAD(1, 3),
    FIRST_VALUE(1, 1),
    LAST_VALUE(1, 1),
    NTH_VALUE(2, 2),

    /// NTH_VALUE FROM LAST.
    NTH_VALUE_FROM_LAST(2, 2);

    private final int least;
    private final int most;

    WindowFunction(int least, int most) {
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
        return compareTo(LAG) >= 0;
    }

    /// Whether it reads the frame; the others read the whole partition.
    public boolean framed() {
        return compareTo(FIRST_VALUE) >= 0;
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

package dev.oriel.sql.value;

import dev.oriel.table.definition.NonFinite;
import java.math.BigDecimal;
import java.math.RoundingMode;

/// Roman numbers, from 1 to 3999.
final class Roman {
    /// Width of the longest Roman number; other values fill it.
    static final int WIDTH = 15;

    private static final int MAX = 3_999;
    private static final int[] VALUES = {1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1};
    private static final String[] DIGITS = {
        "M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"
    };

    private Roman() {}

    /// `number`, rounded; `#` in its whole width if it is out of range.
    static String of(BigDecimal number) {
        BigDecimal whole =
                NonFinite.is(number) ? BigDecimal.ZERO : number.setScale(0, RoundingMode.HALF_UP);
        if (whole.signum() <= 0 || whole.compareTo(BigDecimal.valueOf(MAX)) > 0) {
            return "#".repeat(WIDTH);
        }
        StringBuilder out = new StringBuilder();
        int rest = whole.intValueExact();
        for (int i = 0; i < VALUES.length; i++) {
            while (rest >= VALUES[i]) {
                out.append(DIGITS[i]);
                rest -= VALUES[i];
            }
        }
        return out.toString();
    }
}

package dev.oriel.bench;

import java.sql.ResultSet;
import java.sql.SQLException;

/// The sum of an answer: of each row in its order, of texts and dates as they are, of numbers as they
/// are to two places and ten digits.
///
/// Products that add floating-point numbers, or divide to another number of digits, get the same:
/// the bounds between two results of rounding are put where no exact sum of prices lies, a little
/// beside those of four places.
final class TpchAnswer {
    private static final double PLACES = 0.01;
    private static final int DIGITS = 10;
    private static final double BESIDE = 0.5023371;

    private TpchAnswer() {}

    /// Reads all rows.
    static long sum(ResultSet rows) throws SQLException {
        int columns = rows.getMetaData().getColumnCount();
        long sum = 1;
        while (rows.next()) {
            for (int i = 1; i <= columns; i++) {
                Object value = rows.getObject(i);
                sum =
                        sum * 1_000_003
                                + (value instanceof Number number
                                        ? rounded(number.doubleValue())
                                        : text(String.valueOf(value)));
            }
        }
        return sum;
    }

    private static long text(String text) {
        return AxionTable.sum(text.stripTrailing());
    }

    /// The number in units of a hundredth, or of its tenth digit where that is coarser.
    static long rounded(double value) {
        double unit = PLACES;
        double magnitude = Math.abs(value);
        while (magnitude / unit >= Math.pow(10, DIGITS)) {
            unit *= 10;
        }
        return (long) Math.floor(value / unit + BESIDE);
    }
}

package dev.oriel.bench;

import dev.oriel.bench.measure.TextSum;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/// An answer: its sum, of each row in its order, of texts and dates as they are, of numbers as they are to two
/// places and ten digits.
///
/// Products that add floating-point numbers, or divide to another number of digits, get the same:
/// the bounds between two results of rounding are put where no exact sum of prices lies, a little
/// beside those of four places. One that cuts the digits of a quotient off early does not; its averages and
/// quotients are compared as TPC-H's rules of validation (2.1.3.5) say: to two places, within 1 %.
///
/// @param whole the sum of everything
/// @param rest the sum of everything but averages and quotients
/// @param quotients these, row by row
public record Answer(long whole, long rest, List<Double> quotients) {
    private static final double PLACES = 0.01;
    private static final int DIGITS = 10;
    private static final double BESIDE = 0.5023371;
    private static final double QUOTIENTS_MAY_DIFFER = 0.01;

    /// Of a run, or as it was told.
    public Answer {
        quotients = List.copyOf(quotients);
    }

    /// The sum of all rows.
    public static long sum(ResultSet rows) throws SQLException {
        return read(rows, Set.of()).whole;
    }

    /// Reads all rows.
    ///
    /// @param divided the columns, from 1, that are averages and quotients
    public static Answer read(ResultSet rows, Set<Integer> divided) throws SQLException {
        int columns = rows.getMetaData().getColumnCount();
        long whole = 1;
        long rest = 1;
        List<Double> quotients = new ArrayList<>();
        while (rows.next()) {
            for (int i = 1; i <= columns; i++) {
                Object value = rows.getObject(i);
                long own =
                        value instanceof Number number
                                ? rounded(number.doubleValue())
                                : text(String.valueOf(value));
                whole = whole * 1_000_003 + own;
                if (value instanceof Number number && divided.contains(i)) {
                    quotients.add(number.doubleValue());
                } else {
                    rest = rest * 1_000_003 + own;
                }
            }
        }
        return new Answer(whole, rest, quotients);
    }

    private static long text(String text) {
        return TextSum.of(text.stripTrailing());
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

    /// As the parent process is told it; the checksum of a subject that is held to this alone is 0.
    public String line(String caseName) {
        StringBuilder line = new StringBuilder();
        line.append(String.join("\t", Lines.MARK, Lines.ANSWERED, caseName));
        line.append('\t').append(whole).append('\t').append(rest);
        quotients.forEach(one -> line.append('\t').append(one));
        return line.toString();
    }

    /// What [#line] said, by the fields of the line.
    public static Answered answered(String[] fields) {
        List<Double> quotients = Arrays.stream(fields).skip(5).map(Double::valueOf).toList();
        return new Answered(
                fields[2],
                new Answer(Long.parseLong(fields[3]), Long.parseLong(fields[4]), quotients));
    }

    /// An answer to the question of a case.
    public record Answered(String caseName, Answer answer) {}

    /// Whether this is `right` as TPC-H's rules see it: all but averages and quotients the same, and these to
    /// two places within 1 %.
    public boolean isValidAgainst(Answer right) {
        if (rest != right.rest || quotients.size() != right.quotients.size()) {
            return false;
        }
        for (int i = 0; i < quotients.size(); i++) {
            double expected = right.quotients.get(i);
            double found = Math.rint(quotients.get(i) / PLACES) * PLACES;
            double apart = Math.abs(found - expected);
            // A hundredth is the last place there is: half of it is lost where the right one is
            // rounded too.
            if (apart > Math.max(Math.abs(expected) * QUOTIENTS_MAY_DIFFER, PLACES / 2 + 1e-12)) {
                return false;
            }
        }
        return true;
    }
}

package dev.oriel.bench;

import dev.oriel.bench.measure.TextSum;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/// The checksum of a query's answer. It covers each row in its order, texts and dates unchanged, and numbers to two
/// decimal places and ten digits.
///
/// Products that add floating-point numbers, or divide to another number of digits, get the same sum. The bounds
/// between two rounded values lie at points that no exact sum of prices hits, a little beside values of four
/// places. A product that truncates quotients early gets another sum. Its averages and quotients are compared by
/// TPC-H's rules of validation (2.1.3.5): to two places, within 1 %.
///
/// @param whole the sum of everything
/// @param rest the sum of everything but averages and quotients
/// @param quotients averages and quotients, row by row
public record Answer(long whole, long rest, List<Double> quotients) {
    private static final double PLACES = 0.01;
    private static final int DIGITS = 10;
    private static final double BESIDE = 0.5023371;
    private static final double QUOTIENTS_MAY_DIFFER = 0.01;

    /// An answer computed in this process, or reported by another.
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

    /// The number in units of a hundredth, or of its tenth digit if that is coarser.
    static long rounded(double value) {
        double unit = PLACES;
        double magnitude = Math.abs(value);
        while (magnitude / unit >= Math.pow(10, DIGITS)) {
            unit *= 10;
        }
        return (long) Math.floor(value / unit + BESIDE);
    }

    /// The line that reports the answer to the parent process. A subject compared only by it has the checksum 0.
    public String line(String caseName) {
        StringBuilder line = new StringBuilder();
        line.append(String.join("\t", Lines.MARK, Lines.ANSWERED, caseName));
        line.append('\t').append(whole).append('\t').append(rest);
        quotients.forEach(one -> line.append('\t').append(one));
        return line.toString();
    }

    /// Parses the fields of a [#line].
    public static Answered answered(String[] fields) {
        List<Double> quotients = Arrays.stream(fields).skip(5).map(Double::valueOf).toList();
        return new Answered(
                fields[2],
                new Answer(Long.parseLong(fields[3]), Long.parseLong(fields[4]), quotients));
    }

    /// The answer to the query of a case.
    public record Answered(String caseName, Answer answer) {}

    /// Whether this answer equals `right` by TPC-H's rules: averages and quotients to two places within 1 %, and
    /// everything else exactly.
    public boolean isValidAgainst(Answer right) {
        if (rest != right.rest || quotients.size() != right.quotients.size()) {
            return false;
        }
        for (int i = 0; i < quotients.size(); i++) {
            double expected = right.quotients.get(i);
            double found = Math.rint(quotients.get(i) / PLACES) * PLACES;
            double apart = Math.abs(found - expected);
            // The tolerance is at least half a hundredth, the error of rounding to two places.
            if (apart > Math.max(Math.abs(expected) * QUOTIENTS_MAY_DIFFER, PLACES / 2 + 1e-12)) {
                return false;
            }
        }
        return true;
    }
}

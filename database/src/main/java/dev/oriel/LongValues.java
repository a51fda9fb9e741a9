package dev.oriel;

import java.sql.SQLException;

/// Positions and lengths in a Blob or Clob, which JDBC counts from 1 and in longs.
final class LongValues {
    private LongValues() {}

    /// The index from 0 of a position, at most the one after the last.
    static int index(long position, int length) throws SQLException {
        if (position < 1 || position > length + 1L) {
            throw outside(position, length);
        }
        return (int) (position - 1);
    }

    static void checkLength(int length) throws SQLException {
        if (length < 0) {
            throw SqlStates.exception(
                    SqlStates.INVALID_ARGUMENT, "A length cannot be negative: " + length);
        }
    }

    /// Refuses a part that is not within a whole of length `size`.
    static void checkPart(int offset, int length, int size) throws SQLException {
        if (offset < 0 || length < 0 || length > size - offset) {
            throw SqlStates.exception(
                    SqlStates.INVALID_ARGUMENT,
                    "Offset "
                            + offset
                            + " and length "
                            + length
                            + " exceed the value's length of "
                            + size);
        }
    }

    static int lengthOf(long length) throws SQLException {
        if (length > Integer.MAX_VALUE) {
            throw Values.outOfRange(length, "the length of a value");
        }
        return (int) length;
    }

    static SQLException outside(long position, int length) {
        return SqlStates.exception(
                SqlStates.INVALID_ARGUMENT,
                "Position " + position + " is outside the value, which has a length of " + length);
    }
}

package dev.oriel.hibernate;

import java.sql.SQLException;
import org.hibernate.exception.spi.ViolatedConstraintNameExtractor;
import org.jspecify.annotations.Nullable;

/// Reads the name of a broken constraint from the message, where it stands behind `constraint=`.
final class OrielConstraintNames implements ViolatedConstraintNameExtractor {
    private static final String START = " constraint=";

    @Override
    public @Nullable String extractConstraintName(SQLException failure) {
        for (SQLException each = failure; each != null; each = each.getNextException()) {
            String message = String.valueOf(each.getMessage());
            int start = message.indexOf(START);
            if (start >= 0) {
                int from = start + START.length();
                int end = message.indexOf(' ', from);
                return message.substring(from, end < 0 ? message.length() : end);
            }
        }
        return null;
    }
}

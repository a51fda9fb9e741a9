package dev.oriel.hibernate;

import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hibernate.exception.spi.ViolatedConstraintNameExtractor;
import org.jspecify.annotations.Nullable;

/// Reads the name of a broken constraint or unique index from the message. It stands behind `constraint=` or `index=`,
/// up to the columns or the condition, and may have spaces. NOT NULL has the name of its column.
final class OrielConstraintNames implements ViolatedConstraintNameExtractor {
    private static final Pattern NAME =
            Pattern.compile(
                    " (?:constraint|index)=(.*?)(?: columns?=| check=\\(| key=| parent=|\n|$)");
    private static final Pattern REQUIRED =
            Pattern.compile(" column=(.*?)(?: type=| domain=|\n|$)");

    @Override
    public @Nullable String extractConstraintName(SQLException failure) {
        for (SQLException each = failure; each != null; each = each.getNextException()) {
            boolean required = "23502".equals(each.getSQLState());
            Matcher matcher =
                    (required ? REQUIRED : NAME).matcher(String.valueOf(each.getMessage()));
            if (matcher.find()) {
                return matcher.group(1);
            }
        }
        return null;
    }
}

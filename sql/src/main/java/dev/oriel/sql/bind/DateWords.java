package dev.oriel.sql.bind;

import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Expression.Literal;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Special date and time words, as in `'today'::date`.
final class DateWords {
    private DateWords() {}

    /// Whether `literal`, of type `type`, may be such a word.
    static boolean isPossible(Literal literal, Type type) {
        return Typing.family(type) == Typing.Family.DATE
                && literal.kind() == Literal.Kind.STRING
                && !literal.text().isEmpty()
                && Character.isLetter(literal.text().charAt(0));
    }

    /// The expression for `word`; null if it is no such word.
    ///
    /// @param type type of the result
    static @Nullable Expression meaning(Literal word, Type type) {
        boolean zoned = type.name() == Type.Name.TIMESTAMP_TZ;
        int position = word.position();
        Expression today = new Expression.Call(position, "CURRENT_DATE", List.of());
        return switch (word.text().toLowerCase(Locale.ROOT)) {
            case "today" -> today;
            case "tomorrow" -> moved(position, today, Expression.Operator.ADD);
            case "yesterday" -> moved(position, today, Expression.Operator.SUBTRACT);
            case "now" -> new Expression.Call(position, "CURRENT_TIMESTAMP", List.of());
            case "epoch" ->
                    new Literal(
                            position,
                            Literal.Kind.STRING,
                            "1970-01-01 00:00:00" + (zoned ? "+00" : ""));
            default -> null;
        };
    }

    private static Expression moved(int position, Expression today, Expression.Operator operator) {
        Expression one = new Literal(position, Literal.Kind.INTEGER, "1");
        return new Expression.Binary(position, operator, today, one);
    }
}

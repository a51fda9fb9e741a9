package dev.oriel.sql.plan;

import dev.oriel.sql.value.TextFormat;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.NonFinite;
import dev.oriel.table.definition.Type;
import java.math.BigDecimal;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Writes bound expressions as SQL: for EXPLAIN, and to compare them.
public final class ScalarText {
    private final StringBuilder out = new StringBuilder();
    private final boolean numbered;

    /// Text of the previous link in an [OperatorChain].
    private String prior = "";

    private ScalarText(boolean numbered) {
        this.numbered = numbered;
    }

    /// `scalar` for users: every parameter is `?`.
    public static String of(Scalar scalar) {
        ScalarText text = new ScalarText(false);
        text.write(scalar);
        return text.out.toString();
    }

    /// A text that is equal for two expressions only if they mean the same: columns are their positions,
    /// parameters their numbers, and each part is followed by its type. So everything that determines a scalar's
    /// value must be one of its operands, or be written here. A function with several variants under one name
    /// takes a constant that selects one.
    public static String identity(Scalar scalar) {
        ScalarText text = new ScalarText(true);
        text.write(scalar);
        return text.out.toString();
    }

    private void write(Scalar scalar) {
        form(scalar);
        if (numbered) {
            out.append(':').append(scalar.type());
        }
    }

    private void form(Scalar scalar) {
        switch (scalar) {
            case Scalar.Constant constant -> constant(constant);
            case Scalar.ColumnRef column -> {
                if (numbered) {
                    out.append('#').append(column.column());
                } else {
                    out.append(column.name());
                }
            }
            case Scalar.ParameterRef parameter -> {
                TakenLiteral literal = parameter.literal();
                if (literal != null && literal.shown() && !numbered) {
                    constant(literal.sample());
                    return;
                }
                out.append('?');
                if (numbered) {
                    out.append(parameter.index());
                }
            }
            case Scalar.Argument argument -> {
                if (numbered) {
                    out.append('@').append(argument.query()).append('#').append(argument.index());
                } else {
                    out.append(argument.name());
                }
            }
            case Subquery subquery -> subquery(subquery);
            case Scalar.Now now -> out.append("CURRENT_TIMESTAMP");
            case OperatorChain chain -> chain(chain);
            case OperatorChain.Prior before -> out.append('(').append(prior).append(')');
            case Arithmetic.OfLongs a -> infix(a.left(), a.operator().symbol(), a.right());
            case Arithmetic.OfDoubles a -> infix(a.left(), a.operator().symbol(), a.right());
            case Arithmetic.OfDecimals a -> infix(a.left(), a.operator().symbol(), a.right());
            case Arithmetic.Negated a -> {
                out.append('-');
                operand(a.operand());
            }
            case Condition condition -> condition(condition);
            case Conditional conditional -> conditional(conditional);
            case Conversion c -> {
                out.append("CAST(");
                write(c.operand());
                // Explicit and implied conversions differ for text that is too long.
                out.append(numbered && c.explicit() ? " TO " : " AS ");
                out.append(c.type()).append(')');
            }
            case Concatenation c -> join(c.parts(), " || ");
            case FunctionCall call -> {
                out.append(call.function()).append('(');
                join(call.arguments(), ", ");
                out.append(')');
            }
        }
    }

    private void chain(OperatorChain chain) {
        String text = "";
        for (Scalar link : chain.links()) {
            ScalarText own = new ScalarText(numbered);
            own.prior = text;
            own.write(link);
            text = own.out.toString();
        }
        out.append(text);
    }

    private void condition(Condition condition) {
        switch (condition) {
            case Condition.Comparison c -> infix(c.left(), c.operator().symbol(), c.right());
            case Condition.Between c -> {
                operand(c.operand());
                out.append(" BETWEEN ");
                operand(c.low());
                out.append(" AND ");
                operand(c.high());
            }
            case Condition.Same c -> infix(c.left(), "IS NOT DISTINCT FROM", c.right());
            case Condition.Logical c -> join(c.terms(), c.and() ? " AND " : " OR ");
            case Condition.Not c -> {
                out.append("NOT ");
                operand(c.operand());
            }
            case Condition.IsNull c -> {
                operand(c.operand());
                out.append(c.negated() ? " IS NOT NULL" : " IS NULL");
            }
            case Condition.IsTruth c -> {
                operand(c.operand());
                out.append(c.negated() ? " IS NOT " : " IS ");
                out.append(c.truth() < 0 ? "UNKNOWN" : c.truth() > 0 ? "TRUE" : "FALSE");
            }
            case Condition.In c -> {
                operand(c.operand());
                out.append(" IN (");
                join(c.list(), ", ");
                out.append(')');
            }
            case Condition.Like c -> {
                infix(c.operand(), c.ignoreCase() ? "ILIKE" : "LIKE", c.pattern());
                if (c.escape() != null) {
                    out.append(" ESCAPE ");
                    operand(c.escape());
                }
            }
        }
    }

    private void subquery(Subquery subquery) {
        switch (subquery) {
            case Subquery.OfValue value -> {
                query(value.query());
                if (value.column() > 0) {
                    out.append(" column ").append(value.column() + 1);
                }
            }
            case Subquery.Exists exists -> {
                out.append("EXISTS ");
                query(exists.query());
            }
            case Subquery.Any any -> {
                operand(any.operand());
                out.append(' ').append(any.operator().symbol()).append(" ANY ");
                query(any.query());
            }
            case Subquery.RowAny any -> {
                out.append('(');
                join(any.operands(), ", ");
                out.append(") = ANY ");
                query(any.query());
            }
            case Subquery.Member member -> {
                out.append('(');
                join(member.operands(), ", ");
                out.append(") IN ");
                query(member.query());
            }
        }
    }

    /// A subquery is identified by its position in the text and by its arguments.
    private void query(Subquery.Nested query) {
        out.append("(subquery ").append(query.number());
        if (numbered) {
            out.setLength(out.length() - Integer.toString(query.number()).length());
            out.append('@').append(query.position()).append(' ');
            join(query.arguments(), ", ");
        }
        out.append(')');
    }

    private void conditional(Conditional conditional) {
        switch (conditional) {
            case Conditional.Case c -> {
                out.append("CASE");
                choices(c.conditions(), c.results());
                otherwise(c.otherwise());
            }
            case Conditional.Switch c -> {
                out.append("CASE ");
                write(c.operand());
                choices(c.values(), c.results());
                otherwise(c.otherwise());
            }
            case Conditional.Coalesce c -> {
                out.append("COALESCE(");
                join(c.arguments(), ", ");
                out.append(')');
            }
            case Conditional.Extreme c -> {
                out.append(c.greatest() ? "GREATEST(" : "LEAST(");
                join(c.arguments(), ", ");
                out.append(')');
            }
            case Conditional.NullIf c -> {
                out.append("NULLIF(");
                join(List.of(c.left(), c.right()), ", ");
                out.append(')');
            }
        }
    }

    private void choices(List<Scalar> conditions, List<Scalar> results) {
        for (int i = 0; i < conditions.size(); i++) {
            out.append(" WHEN ");
            write(conditions.get(i));
            out.append(" THEN ");
            write(results.get(i));
        }
    }

    private void otherwise(@Nullable Scalar otherwise) {
        if (otherwise != null) {
            out.append(" ELSE ");
            write(otherwise);
        }
        out.append(" END");
    }

    private void infix(Scalar left, String operator, Scalar right) {
        operand(left);
        out.append(' ').append(operator).append(' ');
        operand(right);
    }

    private void join(List<Scalar> scalars, String separator) {
        for (int i = 0; i < scalars.size(); i++) {
            out.append(i == 0 ? "" : separator);
            if (separator.equals(", ")) {
                write(scalars.get(i));
            } else {
                operand(scalars.get(i));
            }
        }
    }

    /// Writes parentheses unless the operand is a single word.
    private void operand(Scalar scalar) {
        boolean word =
                Scalar.operands(scalar).isEmpty()
                        || scalar instanceof FunctionCall
                        || scalar instanceof Subquery.OfValue
                        || scalar instanceof Subquery.Exists
                        || scalar instanceof Conversion
                        || scalar instanceof Conditional.Coalesce
                        || scalar instanceof Conditional.Extreme
                        || scalar instanceof Conditional.NullIf;
        if (!word) {
            out.append('(');
        }
        write(scalar);
        if (!word) {
            out.append(')');
        }
    }

    private void constant(Scalar.Constant constant) {
        if (constant.isNull()) {
            out.append("NULL");
            return;
        }
        Type type = constant.type();
        switch (type.shape()) {
            case LONG -> {
                String text = TextFormat.ofLong(constant.primitive(), type);
                if (Typing.isInteger(type)) {
                    out.append(text);
                } else if (type.name() == Type.Name.BOOLEAN) {
                    out.append(constant.primitive() != 0 ? "TRUE" : "FALSE");
                } else {
                    out.append(type).append(" '").append(text).append('\'');
                }
            }
            case DOUBLE -> {
                double value = Double.longBitsToDouble(constant.primitive());
                String text = TextFormat.ofDouble(value, type);
                out.append(text).append(text.contains("e") ? "" : "e0");
            }
            case DECIMAL -> {
                if (constant.reference() instanceof BigDecimal number && NonFinite.is(number)) {
                    out.append("DECIMAL '").append(NonFinite.text(number)).append('\'');
                } else {
                    out.append(constant.reference());
                }
            }
            case TEXT, FOLDED ->
                    out.append('\'')
                            .append(String.valueOf(constant.reference()).replace("'", "''"))
                            .append('\'');
            case BYTES -> {
                byte[] bytes = constant.reference() instanceof byte[] some ? some : new byte[0];
                if (type.name() == Type.Name.JSON
                        || type.name() == Type.Name.INTERVAL
                        || type.name() == Type.Name.COMPOSITE
                        || type.element() != null) {
                    String text = TextFormat.ofBytes(bytes, type);
                    out.append(type).append(" '").append(text.replace("'", "''")).append('\'');
                    return;
                }
                out.append("X'")
                        .append(HexFormat.of().withUpperCase().formatHex(bytes))
                        .append('\'');
            }
        }
    }
}

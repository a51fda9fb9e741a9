package dev.oriel.sql.bind;

import dev.oriel.sql.plan.Condition;
import dev.oriel.sql.plan.Conditional;
import dev.oriel.sql.plan.Conversion;
import dev.oriel.sql.plan.Folding;
import dev.oriel.sql.plan.FunctionCall;
import dev.oriel.sql.plan.OperatorChain;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Function;
import dev.oriel.table.definition.EnumType;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Definitions and settings on which the value of an expression may depend, besides its row. A change of them makes
/// stored results wrong: entries of indexes, values of generated columns, and rows that a check has let pass.
public enum OutsideDependence {
    /// An enumeration becomes text, or text becomes one. A label that is written in the expression is none: it
    /// stands for its place, and no longer fits if it is renamed.
    TEXTS("the texts of labels", "use the enumeration itself"),

    /// ENUM_FIRST and its like.
    LABELS("the set of labels of its type", "name a label"),

    NAMES("the names of types", "leave the name out"),

    /// The row as a whole.
    COLUMNS("the set of columns of its table", "name the columns"),

    SESSION("the session or the version", "use a DEFAULT instead"),

    /// A moment is converted to or from a local time or text.
    ZONE("the time zone of the session", "name a zone by AT TIME ZONE");

    private final String words;
    private final String remedy;

    OutsideDependence(String words, String remedy) {
        this.words = words;
        this.remedy = remedy;
    }

    /// As in "depends on ...".
    public String words() {
        return words;
    }

    String remedy() {
        return remedy;
    }

    /// Dependences of `expression` beside its row. The unbound expression is read too, since calls of functions may be
    /// constants when bound.
    ///
    /// @param bound from `expression`
    /// @param scalars for parts of `expression`
    /// @param of the enumeration for whose values it is asked; null for all
    static Set<OutsideDependence> of(
            Table table,
            Expression expression,
            Scalar bound,
            ScalarBinder scalars,
            @Nullable EnumType of) {
        Set<OutsideDependence> found = EnumSet.noneOf(OutsideDependence.class);
        addCalls(table, expression, scalars, of, found);
        if (showsLabels(bound, of)) {
            found.add(TEXTS);
        }
        if (Folding.dependsOnZone(bound)) {
            found.add(ZONE);
        }
        return found;
    }

    private static void addCalls(
            Table table,
            Expression expression,
            ScalarBinder scalars,
            @Nullable EnumType of,
            Set<OutsideDependence> found) {
        if (expression instanceof Expression.Call call) {
            Function function = Function.of(call.name());
            boolean user = isUser(call);
            Expression synonym = function == null && !user ? Synonyms.of(call) : null;
            if (synonym != null) {
                addCalls(table, synonym, scalars, of, found);
                return;
            }
            OutsideDependence own = user ? SESSION : of(function);
            if (own != null && (own != LABELS || hasLabels(scalars.bind(call).type(), of))) {
                found.add(own);
            }
        } else if (expression instanceof Expression.Name name) {
            OutsideDependence own = of(table, name);
            if (own != null) {
                found.add(own);
            }
        }
        for (Expression operand : Expression.operands(expression)) {
            addCalls(table, operand, scalars, of, found);
        }
    }

    /// Whether `call` names the user.
    private static boolean isUser(Expression.Call call) {
        return switch (call.name().toUpperCase(Locale.ROOT)) {
            case "USER", "CURRENT_USER", "SESSION_USER", "SYSTEM_USER" -> true;
            default -> false;
        };
    }

    /// A column is none.
    private static @Nullable OutsideDependence of(Table table, Expression.Name name) {
        if (name.name().equals(Expression.Name.ALL)) {
            return COLUMNS;
        } else if (name.qualifier() != null || table.column(name.name()) >= 0) {
            return null;
        }
        boolean row = table.name().equalsIgnoreCase(name.name());
        return row ? COLUMNS : SESSION; // CURRENT_SCHEMA, CURRENT_USER
    }

    private static @Nullable OutsideDependence of(@Nullable Function function) {
        return switch (function) {
            case ENUM_FIRST, ENUM_LAST, ENUM_RANGE -> LABELS;
            case PG_TYPEOF, FORMAT_TYPE -> NAMES;
            case CURRENT_SCHEMA, CURRENT_DATABASE, VERSION -> SESSION;
            case null, default -> null;
        };
    }

    /// Whether a part of `scalar` converts labels to other values, or other values to labels. Comparing labels converts
    /// nothing.
    private static boolean showsLabels(Scalar scalar, @Nullable EnumType of) {
        List<Scalar> operands = Scalar.operands(scalar);
        if (!operands.isEmpty() && !keepsLabels(scalar, of)) {
            if (hasLabels(scalar.type(), of)
                    || operands.stream().anyMatch(operand -> hasLabels(operand.type(), of))) {
                return true;
            }
        }
        return operands.stream().anyMatch(operand -> showsLabels(operand, of));
    }

    private static boolean keepsLabels(Scalar scalar, @Nullable EnumType of) {
        return switch (scalar) {
            case Condition.Like like -> false;
            case Condition condition -> true;
            case Conditional conditional -> true;
            case OperatorChain chain -> true;
            case Conversion conversion ->
                    hasLabels(conversion.type(), of) && hasLabels(conversion.operand().type(), of);
            case FunctionCall call -> keepsLabels(call.function());
            default -> false;
        };
    }

    private static boolean keepsLabels(Function function) {
        return switch (function) {
            case ARRAY_TO_STRING, STRING_TO_ARRAY, PARSE_IDENT -> false;
            case DOMAIN_VALUE, ENUM_FIRST, ENUM_LAST, ENUM_RANGE, COALESCE, NULLIF -> true;
            case GREATEST, LEAST, IF, NVL2 -> true;
            default -> function.family() == Function.Family.ARRAY;
        };
    }

    /// Whether values of `type` are labels of `of`, or arrays of them.
    static boolean hasLabels(Type type, @Nullable EnumType of) {
        Type plain = type.withoutDomain();
        Type single = plain.element() == null ? plain : plain.element().withoutDomain();
        if (single.name() == Type.Name.COMPOSITE) {
            return single.composite().attributes().stream()
                    .anyMatch(attribute -> hasLabels(attribute.type(), of));
        }
        return single.name() == Type.Name.ENUM && (of == null || single.labels().id() == of.id());
    }
}

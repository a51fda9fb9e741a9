package dev.oriel.sql.watch;

import dev.oriel.sql.plan.Condition;
import dev.oriel.sql.plan.PlanParts;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.value.LikePattern;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Table;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The columns of a table for which a condition asks for a value or a range, in each row that it keeps. An index finds
/// such rows. Terms of other forms (OR, NOT, an operator on the column) name none.
///
/// @param equal columns compared for equality
/// @param ranged columns of ranges
record ComparedColumns(Set<String> equal, Set<String> ranged) {
    /// @param name name of the table in a join; null if the rows of the condition are the table's
    static ComparedColumns of(Scalar condition, Table table, @Nullable String name) {
        ComparedColumns columns = new ComparedColumns(new LinkedHashSet<>(), new LinkedHashSet<>());
        List<Scalar> terms = new ArrayList<>();
        split(condition, terms);
        for (Scalar term : terms) {
            columns.add(term, table, name);
        }
        columns.ranged.removeAll(columns.equal);
        return columns;
    }

    private static void split(Scalar condition, List<Scalar> into) {
        if (condition instanceof Condition.Logical logical && logical.and()) {
            logical.terms().forEach(term -> split(term, into));
        } else {
            into.add(condition);
        }
    }

    private void add(Scalar term, Table table, @Nullable String name) {
        switch (term) {
            case Condition.Comparison comparison -> compare(comparison, table, name);
            case Condition.Between between -> {
                if (isKnown(between.low()) && isKnown(between.high())) {
                    put(between.operand(), ranged, table, name);
                }
            }
            case Condition.In in -> {
                if (in.list().stream().allMatch(ComparedColumns::isKnown)) {
                    put(in.operand(), equal, table, name);
                }
            }
            case Condition.IsNull isNull -> {
                if (!isNull.negated()) {
                    put(isNull.operand(), ranged, table, name);
                }
            }
            case Condition.Like like -> {
                if (hasPrefix(like)) {
                    put(like.operand(), ranged, table, name);
                }
            }
            default -> {} // no search by a key
        }
    }

    private void compare(Condition.Comparison comparison, Table table, @Nullable String name) {
        Set<String> into =
                switch (comparison.operator()) {
                    case EQUAL -> equal;
                    case LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL -> ranged;
                    case NOT_EQUAL, CONCAT, ADD, SUBTRACT, MULTIPLY, DIVIDE, MODULO ->
                            new LinkedHashSet<>();
                };
        if (isKnown(comparison.right())) {
            put(comparison.left(), into, table, name);
        } else if (isKnown(comparison.left())) {
            put(comparison.right(), into, table, name);
        }
    }

    private static void put(Scalar scalar, Set<String> into, Table table, @Nullable String name) {
        if (scalar instanceof Scalar.ColumnRef ref) {
            Column column = name == null ? at(ref.column(), table) : named(ref.name(), table, name);
            if (column != null) {
                into.add(column.name());
            }
        }
    }

    private static @Nullable Column at(int position, Table table) {
        return position < table.columns().size() ? table.columns().get(position) : null;
    }

    /// The column of a reference in a join, whose position is that in the row of all tables.
    private static @Nullable Column named(String reference, Table table, String name) {
        for (Column column : table.columns()) {
            if (reference.equals(column.name()) || reference.equals(name + "." + column.name())) {
                return column;
            }
        }
        return null;
    }

    /// Whether `value` is the same for all rows.
    private static boolean isKnown(Scalar value) {
        return Scalar.isRowFree(value) && !PlanParts.calls(value, function -> function.differs());
    }

    private static boolean hasPrefix(Condition.Like like) {
        return like.escape() == null
                && !like.ignoreCase()
                && like.pattern() instanceof Scalar.Constant constant
                && constant.reference() instanceof String text
                && !LikePattern.prefix(text, LikePattern.USUAL_ESCAPE).isEmpty();
    }
}

package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.ParameterTypes;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.ScalarText;
import dev.oriel.sql.planner.AccessPlanner;
import dev.oriel.sql.syntax.ConflictIndex;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.definition.Arbiter;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Finds the unique index that ON CONFLICT describes by expressions, or by a condition of its rows.
final class ConflictIndexes {
    private final SqlText source;
    private final Table table;
    private final ParameterTypes parameters;

    /// @param parameters of the statement
    ConflictIndexes(SqlText source, Table table, ParameterTypes parameters) {
        this.source = source;
        this.table = table;
        this.parameters = parameters;
    }

    /// The key with the terms of `wanted`. Its condition, if any, must follow from that of `wanted`.
    Arbiter arbiter(ConflictIndex wanted) {
        Set<String> terms = new HashSet<>();
        for (Expression term : wanted.terms()) {
            terms.add(identity(TableExpressions.term(table, source, term, parameters)));
        }
        List<Scalar> known = new ArrayList<>();
        if (wanted.where() != null) {
            AccessPlanner.split(
                    TableExpressions.indexed(table, source, wanted.where(), parameters), known);
        }
        if (terms.equals(identities(table.primaryKey()))) {
            return Arbiter.PRIMARY_KEY;
        }
        for (Index index : table.indexes()) {
            if (index.unique() && fits(index, terms, known)) {
                return new Arbiter(false, index);
            }
        }
        throw source.error(
                Kind.INVALID_REFERENCE,
                wanted.terms().getFirst().position(),
                "ON CONFLICT needs the columns and expressions of a unique index, all of them, and"
                        + " after WHERE the condition of an index of some rows");
    }

    /// The key on `columns` of some rows, which are those of the view `changed`; null if there is none.
    @Nullable Arbiter arbiter(Set<Integer> columns, ChangedRelation changed) {
        List<Scalar> known = new ArrayList<>();
        changed.conditions().forEach(view -> AccessPlanner.split(view.condition(), known));
        Set<String> terms = identities(List.copyOf(columns));
        for (Index index : known.isEmpty() ? List.<Index>of() : table.indexes()) {
            if (index.unique() && index.terms() != null && fits(index, terms, known)) {
                return new Arbiter(false, index);
            }
        }
        return null;
    }

    private boolean fits(Index index, Set<String> terms, List<Scalar> known) {
        Index.Terms own = index.terms();
        if (own == null) {
            return terms.equals(identities(index.columns()));
        }
        Set<String> identities = new HashSet<>();
        own.expressions()
                .forEach(text -> identities.add(identity(TableExpressions.term(table, text))));
        return terms.equals(identities) && TableExpressions.terms(table, own, 0).isImpliedBy(known);
    }

    private static Set<String> identities(List<Integer> columns) {
        Set<String> identities = new HashSet<>();
        columns.forEach(column -> identities.add("column " + column));
        return identities;
    }

    private static String identity(Scalar term) {
        return term instanceof Scalar.ColumnRef column
                ? "column " + column.column()
                : ScalarText.identity(term);
    }
}

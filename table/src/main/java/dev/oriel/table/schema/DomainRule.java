package dev.oriel.table.schema;

import dev.oriel.table.Expressions;
import dev.oriel.table.Expressions.Prepared;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Check;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ConstraintException;
import dev.oriel.table.definition.ConstraintException.Kind;
import dev.oriel.table.definition.DomainType;
import dev.oriel.table.definition.Table;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.List;

/// Tests of a column's domain on a row. Belongs to one [RowRules].
final class DomainRule {
    private final Table table;
    private final int column;
    private final DomainType domain;
    private final Prepared[] checks;
    private final Tuple value = new Tuple(1);

    private DomainRule(Table table, int column, DomainType domain, Expressions expressions) {
        this.table = table;
        this.column = column;
        this.domain = domain;
        this.checks = new Prepared[domain.checks().size()];
        Table alone = domain.alone();
        for (int i = 0; i < checks.length; i++) {
            checks[i] = expressions.prepare(alone, domain.checks().get(i).expression(), null);
        }
    }

    /// Whether the domain of a column of `table` may refuse a value.
    static boolean any(Table table) {
        for (Column column : table.columns()) {
            DomainType domain = column.type().domain();
            while (domain != null) {
                if (domain.required() || !domain.checks().isEmpty()) {
                    return true;
                }
                domain = domain.base().domain();
            }
        }
        return false;
    }

    /// The rules for the columns of `table`, the innermost domain of each first.
    static DomainRule[] of(Table table, Expressions expressions) {
        List<DomainRule> rules = new ArrayList<>();
        for (int i = 0; i < table.columns().size(); i++) {
            int first = rules.size();
            DomainType domain = table.columns().get(i).type().domain();
            while (domain != null) {
                if (domain.required() || !domain.checks().isEmpty()) {
                    rules.add(first, new DomainRule(table, i, domain, expressions));
                }
                domain = domain.base().domain();
            }
        }
        return rules.toArray(DomainRule[]::new);
    }

    /// @param truth receives the results of conditions
    /// @throws ConstraintException if the value is none of the domain's
    void check(TableTransaction transaction, Row stored, Tuple truth) {
        Column of = table.columns().get(column);
        if (domain.required() && stored.isNull(column)) {
            throw new ConstraintException(
                    Kind.NOT_NULL,
                    "The domain of a column does not allow NULL",
                    "table=" + table.name() + " column=" + of.name() + " domain=" + domain.name());
        }
        value.copy(0, stored, column, of.type().shape());
        for (int i = 0; i < checks.length; i++) {
            checks[i].evaluate(transaction, value, truth, 0);
            if (!truth.isNull(0) && truth.longAt(0) == 0) {
                Check failed = domain.checks().get(i);
                throw new ConstraintException(
                        Kind.CHECK,
                        "A value fails a check of its domain",
                        "table="
                                + table.name()
                                + " column="
                                + of.name()
                                + " domain="
                                + domain.name()
                                + " constraint="
                                + failed.name()
                                + " check=("
                                + failed.expression()
                                + ")");
            }
        }
    }
}

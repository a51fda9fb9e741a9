package dev.oriel.table.schema;

import dev.oriel.table.Expressions;
import dev.oriel.table.Expressions.Prepared;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Check;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ColumnDefault;
import dev.oriel.table.definition.ConstraintException;
import dev.oriel.table.definition.ConstraintException.Kind;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.List;

/// The expressions of a table that apply to a row as it is written: its generated columns and its checks. Belongs
/// to one `TableWriter`.
public final class RowRules {
    private final Table table;
    private final int[] generated;
    private final Prepared[] values;
    private final Prepared[] checks;
    private final DomainRule[] domains;
    private final Type.Shape[] shapes;
    private final Tuple row;
    private final Tuple truth = new Tuple(1);

    public RowRules(Table table, Expressions expressions) {
        this.table = table;
        List<Column> columns = table.columns();
        this.shapes = new Type.Shape[columns.size()];
        int count = 0;
        for (int i = 0; i < shapes.length; i++) {
            shapes[i] = columns.get(i).type().shape();
            count += columns.get(i).generated() ? 1 : 0;
        }
        this.generated = new int[count];
        this.values = new Prepared[count];
        for (int i = 0, next = 0; i < shapes.length; i++) {
            if (columns.get(i).filling() instanceof ColumnDefault.Generated filling) {
                generated[next] = i;
                values[next++] = expressions.prepare(table, filling.expression(), columns.get(i));
            }
        }
        List<Check> all = table.constraints().checks();
        this.checks = new Prepared[all.size()];
        for (int i = 0; i < checks.length; i++) {
            checks[i] = expressions.prepare(table, all.get(i).expression(), null);
        }
        this.row = new Tuple(shapes.length);
        this.domains = DomainRule.of(table, expressions);
    }

    public boolean generates() {
        return generated.length > 0;
    }

    /// `stored`, which has been rounded and cut to its types, with its generated columns.
    public Row completed(TableTransaction transaction, Row stored) {
        for (int i = 0; i < shapes.length; i++) {
            row.copy(i, stored, i, shapes[i]);
        }
        for (int i = 0; i < generated.length; i++) {
            values[i].evaluate(transaction, stored, row, generated[i]);
        }
        return row;
    }

    /// The row without its generated columns, which are not yet known.
    public Row bare(Row given) {
        for (int i = 0; i < shapes.length; i++) {
            row.copy(i, given, i, shapes[i]);
        }
        for (int column : generated) {
            row.setNull(column);
        }
        return row;
    }

    /// Evaluates the checks of the table and of the domains of its columns.
    ///
    /// @throws ConstraintException if a check fails for `stored`
    public void check(TableTransaction transaction, Row stored) {
        for (DomainRule rule : domains) {
            rule.check(transaction, stored, truth);
        }
        for (int i = 0; i < checks.length; i++) {
            checks[i].evaluate(transaction, stored, truth, 0);
            if (!truth.isNull(0) && truth.longAt(0) == 0) {
                Check failed = table.constraints().checks().get(i);
                if (failed.isRouting()) {
                    throw new ConstraintException(
                            Kind.CHECK,
                            "No partition of the table takes a row; create one with a bound that"
                                    + " has it",
                            "table=" + table.name());
                }
                throw new ConstraintException(
                        Kind.CHECK,
                        "A row fails a check of its table",
                        "table="
                                + table.name()
                                + " constraint="
                                + failed.name()
                                + " check=("
                                + failed.expression()
                                + ")");
            }
        }
    }
}

package dev.oriel.sql.bind;

import dev.oriel.sql.plan.PlanParts;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Check;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ColumnDefault;
import dev.oriel.table.definition.ForeignKey;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import java.util.BitSet;
import java.util.List;

/// Columns that constraints and generated columns use, as tables of the information schema.
final class ColumnUsage {
    private final InformationSchema made;

    private ColumnUsage(InformationSchema made) {
        this.made = made;
    }

    /// The table CONSTRAINT_COLUMN_USAGE. A foreign key uses the columns that it refers to.
    static InformationSchema ofConstraints(Catalog catalog) {
        ColumnUsage usage =
                new ColumnUsage(
                        new InformationSchema(
                                catalog,
                                "table_schema",
                                "table_name",
                                "column_name",
                                "constraint_schema",
                                "constraint_name"));
        for (Table table : catalog.tables()) {
            if (!table.primaryKey().isEmpty()) {
                String name = ConstraintBinder.primaryKeyName(table);
                usage.add(table, table.primaryKey(), table, name);
            }
            for (Index index : table.indexes()) {
                if (index.constraint()) {
                    usage.add(table, index.columns(), table, index.name());
                }
            }
            for (Check check : table.constraints().declared()) {
                List<Integer> used = PgCatalog.used(table, check);
                for (int column : used == null ? List.<Integer>of() : used) {
                    usage.add(table, List.of(column - 1), table, check.name());
                }
            }
            for (ForeignKey key : table.constraints().foreignKeys()) {
                Table parent = catalog.table(key.parent());
                if (parent != null) {
                    usage.add(parent, key.parentColumns(), table, key.name());
                }
            }
        }
        return usage.made.ofCatalog("table_catalog", "constraint_catalog");
    }

    /// @param of the table with the constraint
    private void add(Table used, List<Integer> columns, Table of, String constraint) {
        for (int column : columns) {
            made.add(
                    used.schema(),
                    used.name(),
                    used.columns().get(column).name(),
                    PgCatalog.called(of.schema()),
                    constraint);
        }
    }

    /// The table COLUMN_COLUMN_USAGE: columns, and generated columns that are computed from them.
    static InformationSchema ofColumns(Catalog catalog) {
        InformationSchema made =
                new InformationSchema(
                        catalog, "table_schema", "table_name", "column_name", "dependent_column");
        for (Table table : catalog.tables()) {
            for (Column column : table.columns()) {
                if (column.filling() instanceof ColumnDefault.Generated generated) {
                    String text = generated.expression();
                    BitSet used = new BitSet();
                    PlanParts.columns(TableExpressions.value(table, text, column), used);
                    for (int i : used.stream().toArray()) {
                        String name = table.columns().get(i).name();
                        made.add(table.schema(), table.name(), name, column.name());
                    }
                }
            }
        }
        return made.ofCatalog("table_catalog");
    }
}

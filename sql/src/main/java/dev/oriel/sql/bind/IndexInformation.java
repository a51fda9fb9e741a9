package dev.oriel.sql.bind;

import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Comments;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.KeyOrder;
import dev.oriel.table.definition.Table;
import java.util.List;

/// Indexes in the information schema, which the standard does not have; the columns are H2's.
final class IndexInformation {
    private IndexInformation() {}

    static InformationSchema indexes(Catalog catalog) {
        InformationSchema made =
                new InformationSchema(
                        catalog,
                        "table_schema",
                        "table_name",
                        "index_name",
                        "index_type",
                        "is_unique",
                        "column_names",
                        "remarks",
                        "index_type_name",
                        "is_generated",
                        "nulls_distinct");
        for (Table table : catalog.tables()) {
            for (Index index : table.indexes()) {
                made.add(
                        table.schema(),
                        table.name(),
                        index.name(),
                        index.kind().name(),
                        index.unique() ? "YES" : "NO",
                        String.join(", ", names(table, index.columns())),
                        catalog.comments(table.id()).text(Comments.Subject.index(index.name())),
                        index.unique() ? "UNIQUE INDEX" : "INDEX",
                        index.constraint() ? "TRUE" : "FALSE",
                        index.unique() ? InformationSchema.distinct(index) : null);
            }
        }
        return made.repeating("index_schema").ofCatalog("index_catalog", "table_catalog");
    }

    /// The columns of indexes, a primary key first. Expressions are not listed.
    static InformationSchema columns(Catalog catalog) {
        InformationSchema made =
                new InformationSchema(
                        catalog,
                        "table_schema",
                        "table_name",
                        "index_name",
                        "column_name",
                        "ordinal_position",
                        "ordering_specification",
                        "null_ordering",
                        "is_unique");
        for (Table table : catalog.tables()) {
            if (!table.primaryKey().isEmpty()) {
                String name = ConstraintBinder.primaryKeyName(table);
                Index key = new Index(name, Index.Kind.BTREE, true, table.primaryKey());
                add(made, table, key);
            }
            for (Index index : table.indexes()) {
                add(made, table, index);
            }
        }
        return made.repeating("index_schema").ofCatalog("index_catalog", "table_catalog");
    }

    private static void add(InformationSchema made, Table table, Index index) {
        int position = 0;
        for (String column : names(table, index.columns())) {
            KeyOrder order = index.order(position);
            boolean usual = order.nullsFirst() == order.descending();
            made.add(
                    table.schema(),
                    table.name(),
                    index.name(),
                    column,
                    ++position,
                    order.descending() ? "DESC" : "ASC",
                    usual ? null : order.nullsFirst() ? "FIRST" : "LAST",
                    index.unique() ? "TRUE" : "FALSE");
        }
    }

    private static List<String> names(Table table, List<Integer> columns) {
        return columns.stream().map(i -> table.columns().get(i).name()).toList();
    }
}

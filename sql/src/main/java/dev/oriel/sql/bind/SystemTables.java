package dev.oriel.sql.bind;

import dev.oriel.sql.Prepared.OutputColumn;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The tables of `information_schema` and `pg_catalog`, which list themselves.
///
/// @param kind as in the column `table_type`
public record SystemTables(String schema, String name, String kind, List<Column> columns) {
    private static final String VIEW = "VIEW";

    private static final List<SystemTables> ALL = made();

    /// All of them, by name within their schemas.
    public static List<SystemTables> all() {
        return ALL;
    }

    private static List<SystemTables> made() {
        Catalog nothing = new Catalog(0, Map.of());
        List<SystemTables> all = new ArrayList<>();
        for (String name : InformationSchema.names()) {
            InformationSchema table = InformationSchema.of(name, nothing, List.of());
            if (table != null) {
                all.add(of("information_schema", name, VIEW, table.columns()));
            }
        }
        for (String name : PgColumns.TABLES) {
            PgRows rows = new PgRows(PgColumns.of(name));
            all.add(of(PgCatalog.NAME, name, "BASE TABLE", rows.columns()));
        }
        for (String name : PgColumns.VIEWS) {
            PgRows rows = new PgRows(PgColumns.of(name));
            all.add(of(PgCatalog.NAME, name, VIEW, rows.columns()));
        }
        return List.copyOf(all);
    }

    private static SystemTables of(
            String schema, String name, String kind, List<OutputColumn> columns) {
        List<Column> all = new ArrayList<>();
        columns.forEach(column -> all.add(new Column(column.name(), column.type(), true)));
        return new SystemTables(schema, name, kind, List.copyOf(all));
    }
}

package dev.oriel.sql.engine;

import static dev.oriel.sql.engine.SysTables.text;

import dev.oriel.sql.ComputedTable;
import dev.oriel.sql.JavaAggregate;
import dev.oriel.sql.JavaFunction;
import dev.oriel.sql.RowList;
import dev.oriel.sql.bind.ComputedTables;
import dev.oriel.sql.syntax.FunctionDescription;
import dev.oriel.sql.syntax.FunctionDescriptions;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Comments;
import dev.oriel.table.definition.Procedure;
import dev.oriel.table.definition.SearchPath;
import dev.oriel.table.definition.SqlFunction;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The table `sys.functions`: all that can be called by a name, a row for each name and signature.
final class SysFunctions {
    private static final String VOLATILE = "volatile";
    private static final String CALLED = "called";

    private final RowList rows;

    private SysFunctions(RowList rows) {
        this.rows = rows;
    }

    static List<Column> columns() {
        return List.of(
                text("schema"),
                text("name"),
                text("kind"),
                text("family"),
                text("signature"),
                text("result"),
                text("volatility"),
                text("null_rule"),
                text("description"),
                text("example"),
                text("answer"));
    }

    /// @param added functions and tables in Java
    static void fill(Catalog catalog, ComputedTables added, RowList rows) {
        SysFunctions into = new SysFunctions(rows);
        FunctionDescriptions.all().forEach(into::add);
        catalog.functions().forEach(function -> into.add(catalog, function));
        catalog.procedures().forEach(procedure -> into.add(catalog, procedure));
        for (JavaFunction function : added.functions()) {
            into.add(function.name(), "function", function.parameters(), function.result());
        }
        for (JavaAggregate aggregate : added.aggregates()) {
            into.add(aggregate.name(), "aggregate", aggregate.parameters(), aggregate.result());
        }
        for (ComputedTable table : added.all()) {
            if (table.acts() || !table.parameters().isEmpty()) {
                into.add(table);
            }
        }
    }

    private void add(FunctionDescription function) {
        rows.begin()
                .text("pg_catalog")
                .text(function.name())
                .text(function.kind().words())
                .text(function.family())
                .text(function.shown())
                .text(function.result())
                .text(function.volatility())
                .text(function.nullRule())
                .text(function.sentence())
                .text(function.example())
                .text(function.answer());
    }

    private void add(Catalog catalog, SqlFunction function) {
        List<String> parameters = new ArrayList<>();
        for (SqlFunction.Parameter each : function.parameters()) {
            parameters.add(parameter(each.name(), each.type(), each.otherwise() != null));
        }
        List<String> results = new ArrayList<>();
        for (SqlFunction.Result each : function.result()) {
            results.add(parameter(each.name(), each.type(), false));
        }
        boolean several = results.size() > 1;
        String result =
                several
                        ? "table(" + String.join(", ", results) + ")"
                        : (function.returnsSet() ? "setof " : "") + shown(function.type());
        begin(
                SearchPath.shown(function.schema()),
                function.name(),
                function.returnsSet() ? "table function" : "function",
                "sql");
        rows.text(signature(function.name(), parameters))
                .text(result)
                .text(function.traits().volatility().name().toLowerCase(Locale.ROOT))
                .text(function.traits().strict() ? "strict" : CALLED);
        end(catalog.comments(function.id()).text(Comments.Subject.WHOLE));
    }

    private void add(Catalog catalog, Procedure procedure) {
        List<String> parameters = new ArrayList<>();
        for (Procedure.Parameter each : procedure.parameters()) {
            String mode = each.mode() == Procedure.Mode.IN ? "" : each.mode() + " ";
            parameters.add(mode + parameter(each.name(), each.type(), each.otherwise() != null));
        }
        begin(SearchPath.shown(procedure.schema()), procedure.name(), "procedure", "sql");
        rows.text(signature(procedure.name(), parameters)).nothing().text(VOLATILE).text(CALLED);
        end(catalog.comments(procedure.id()).text(Comments.Subject.WHOLE));
    }

    private void add(String name, String kind, List<JavaFunction.Parameter> given, Type result) {
        List<String> parameters = new ArrayList<>();
        boolean takesNull = false;
        for (JavaFunction.Parameter each : given) {
            parameters.add(shown(each.type()));
            takesNull |= each.takesNull();
        }
        boolean aggregate = kind.equals("aggregate");
        begin(null, name, kind, "java");
        rows.text(signature(name, parameters))
                .text(shown(result))
                .text(VOLATILE)
                .text(
                        takesNull
                                ? aggregate ? "keeps nulls" : CALLED
                                : aggregate ? "skips nulls" : "strict");
        end(null);
    }

    private void add(ComputedTable table) {
        List<String> parameters = new ArrayList<>();
        for (Column each : table.parameters()) {
            parameters.add(parameter(each.name(), each.type(), true));
        }
        List<String> columns = new ArrayList<>();
        for (Column each : table.columns()) {
            columns.add(parameter(each.name(), each.type(), false));
        }
        begin(table.schema(), table.name(), table.acts() ? "procedure" : "table function", "java");
        rows.text(signature(table.name(), parameters))
                .text("table(" + String.join(", ", columns) + ")")
                .text(VOLATILE)
                .text(CALLED);
        end(null);
    }

    private void begin(@Nullable String schema, String name, String kind, String family) {
        rows.begin().text(schema).text(name).text(kind).text(family);
    }

    private void end(@Nullable String description) {
        rows.text(description).nothing().nothing();
    }

    private static String signature(String name, List<String> parameters) {
        return name + "(" + String.join(", ", parameters) + ")";
    }

    private static String parameter(String name, Type type, boolean optional) {
        String text = (name + " " + shown(type)).strip();
        return optional ? "[" + text + "]" : text;
    }

    private static String shown(Type type) {
        return type.toString().toLowerCase(Locale.ROOT);
    }
}

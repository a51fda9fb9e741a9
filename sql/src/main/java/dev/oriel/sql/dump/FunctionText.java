package dev.oriel.sql.dump;

import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.CompositeType;
import dev.oriel.table.definition.SearchPath;
import dev.oriel.table.definition.SqlFunction;
import dev.oriel.table.definition.SqlFunction.Volatility;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The statement that defines a function, between those that set the search path of its body.
final class FunctionText {
    private final Catalog catalog;
    private final SqlFunction function;

    FunctionText(Catalog catalog, SqlFunction function) {
        this.catalog = catalog;
        this.function = function;
    }

    List<String> statements() {
        List<String> around = within(function.path());
        return around.isEmpty()
                ? List.of(definition())
                : List.of(around.getFirst(), definition(), around.getLast());
    }

    /// The statements that set the search path `schemas` and reset it; none for the default one.
    static List<String> within(List<String> schemas) {
        if (schemas.equals(SearchPath.DEFAULT.schemas())) {
            return List.of();
        }
        List<String> path =
                schemas.stream()
                        .map(schema -> schema.isEmpty() ? "public" : NameText.of(schema))
                        .toList();
        String set = path.isEmpty() ? "''" : String.join(", ", path);
        return List.of("SET search_path = " + set, "RESET search_path");
    }

    private String definition() {
        List<String> parameters = new ArrayList<>();
        for (SqlFunction.Parameter each : function.parameters()) {
            String otherwise = each.otherwise();
            parameters.add(
                    named(each.name(), each.type())
                            + (otherwise == null ? "" : " DEFAULT " + otherwise));
        }
        String returns = "";
        Table table = table();
        List<SqlFunction.Result> outputs = outputs();
        if (table != null) {
            returns = "RETURNS " + NameText.of(table.schema(), table.name()) + " ";
        } else if (!outputs.isEmpty()) {
            outputs.forEach(each -> parameters.add("OUT " + named(each.name(), each.type())));
        } else {
            boolean nothing = function.traits().effect() == SqlFunction.Effect.VOID;
            returns = "RETURNS " + (nothing ? "VOID" : result()) + " ";
        }
        Volatility volatility = function.traits().volatility();
        return "CREATE FUNCTION "
                + NameText.of(function.schema(), function.name())
                + " ("
                + String.join(", ", parameters)
                + ") "
                + returns
                + "LANGUAGE SQL "
                + (volatility == Volatility.VOLATILE ? "" : volatility + " ")
                + (function.traits().strict() ? "STRICT " : "")
                + body(function.body());
    }

    private static String named(String name, Type type) {
        return (name.isEmpty() ? "" : NameText.quoted(name) + " ") + TypeText.of(type);
    }

    /// The type of the result's rows, if it is no user's; else null.
    private @Nullable CompositeType row() {
        if (function.returnsSet() || function.result().size() != 1) {
            return null;
        }
        Type type = function.type();
        return type.name() == Type.Name.COMPOSITE && type.composite().id() == 0
                ? type.composite()
                : null;
    }

    /// The table whose rows the result is like; null if there is none.
    private @Nullable Table table() {
        CompositeType row = row();
        if (row == null || row.name().equals(CompositeType.RECORD)) {
            return null;
        }
        for (Table table : catalog.tables()) {
            if (table.name().equalsIgnoreCase(row.name())
                    && CompositeType.ofColumns(table.name(), table.columns()).equals(row)) {
                return table;
            }
        }
        return null;
    }

    private List<SqlFunction.Result> outputs() {
        CompositeType row = row();
        if (row != null) {
            return row.attributes().stream()
                    .map(each -> new SqlFunction.Result(each.name(), each.type()))
                    .toList();
        }
        boolean single =
                !function.returnsSet()
                        && function.result().size() == 1
                        && !function.result().getFirst().name().isEmpty();
        return single ? function.result() : List.of();
    }

    private String result() {
        if (function.result().size() == 1 && function.result().getFirst().name().isEmpty()) {
            return (function.returnsSet() ? "SETOF " : "") + TypeText.of(function.type());
        }
        List<String> columns = new ArrayList<>();
        function.result().forEach(each -> columns.add(named(each.name(), each.type())));
        return "TABLE (" + String.join(", ", columns) + ")";
    }

    /// A body as the end of its definition.
    static String body(SqlFunction.Body body) {
        String text = body.text();
        return switch (body.form()) {
            case STRING -> "AS " + NameText.literal(text);
            case RETURN -> "RETURN " + text;
            case ATOMIC -> "BEGIN ATOMIC " + text + (text.endsWith(";") ? "" : ";") + " END";
        };
    }
}

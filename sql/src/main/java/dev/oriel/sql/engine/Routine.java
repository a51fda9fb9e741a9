package dev.oriel.sql.engine;

import dev.oriel.sql.ComputedTable;
import dev.oriel.sql.JavaAggregate;
import dev.oriel.sql.JavaFunction;
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
import org.jspecify.annotations.Nullable;

/// A callable routine: a function of SQL, or one registered from Java.
///
/// @param schema qualifier of the name; empty for none
/// @param parameters required parameters, then optional ones
/// @param results columns of its rows; a scalar function has one, without a name
public record Routine(
        String schema,
        String name,
        Kind kind,
        String remarks,
        List<Value> parameters,
        List<Value> results) {
    public Routine {
        parameters = List.copyOf(parameters);
        results = List.copyOf(results);
    }

    /// Way of calling a routine.
    public enum Kind {
        /// In an expression.
        FUNCTION,
        /// In FROM.
        TABLE_FUNCTION,
        /// By CALL.
        PROCEDURE
    }

    /// A parameter or a result.
    ///
    /// @param type null if several types are possible, or if it follows from the arguments
    /// @param optional whether it may be omitted
    /// @param mode of a parameter of a procedure of SQL; IN of others
    public record Value(String name, @Nullable Type type, boolean optional, Procedure.Mode mode) {
        public Value(String name, @Nullable Type type, boolean optional) {
            this(name, type, optional, Procedure.Mode.IN);
        }
    }

    /// All routines, SQL's own first.
    static List<Routine> all(ComputedTables added) {
        List<Routine> all = new ArrayList<>();
        for (FunctionDescription function : FunctionDescriptions.all()) {
            all.add(of(function));
        }
        for (JavaFunction function : added.functions()) {
            all.add(ofJava(function.name(), "", function.parameters(), function.result()));
        }
        for (JavaAggregate aggregate : added.aggregates()) {
            all.add(
                    ofJava(
                            aggregate.name(),
                            "aggregate",
                            aggregate.parameters(),
                            aggregate.result()));
        }
        for (ComputedTable table : added.all()) {
            if (table.acts() || !table.parameters().isEmpty()) {
                all.add(of(table));
            }
        }
        return List.copyOf(all);
    }

    /// The functions and procedures of SQL that users have defined, with the names of their schemas for users.
    public static List<Routine> defined(Catalog catalog) {
        List<Routine> all = new ArrayList<>();
        for (SqlFunction function : catalog.functions()) {
            List<Value> parameters = new ArrayList<>();
            for (int i = 0; i < function.parameters().size(); i++) {
                SqlFunction.Parameter each = function.parameters().get(i);
                String called = each.name().isEmpty() ? "argument" + (i + 1) : each.name();
                parameters.add(new Value(called, each.type(), each.otherwise() != null));
            }
            List<Value> results = new ArrayList<>();
            for (SqlFunction.Result each : function.result()) {
                boolean named = function.returnsSet() && each.name().isEmpty();
                String called = named ? function.name() : each.name();
                results.add(new Value(called, each.type(), false));
            }
            Kind kind = function.returnsSet() ? Kind.TABLE_FUNCTION : Kind.FUNCTION;
            String comment = catalog.comments(function.id()).text(Comments.Subject.WHOLE);
            all.add(
                    new Routine(
                            SearchPath.shown(function.schema()),
                            function.name(),
                            kind,
                            comment == null ? "in SQL" : comment,
                            parameters,
                            results));
        }
        for (Procedure procedure : catalog.procedures()) {
            List<Value> parameters = new ArrayList<>();
            for (int i = 0; i < procedure.parameters().size(); i++) {
                Procedure.Parameter each = procedure.parameters().get(i);
                String called = each.name().isEmpty() ? "argument" + (i + 1) : each.name();
                parameters.add(
                        new Value(called, each.type(), each.otherwise() != null, each.mode()));
            }
            String comment = catalog.comments(procedure.id()).text(Comments.Subject.WHOLE);
            all.add(
                    new Routine(
                            SearchPath.shown(procedure.schema()),
                            procedure.name(),
                            Kind.PROCEDURE,
                            comment == null ? "in SQL" : comment,
                            parameters,
                            List.of()));
        }
        return all;
    }

    private static Routine of(FunctionDescription function) {
        FunctionDescription.Signature signature = function.signature();
        List<Value> parameters = new ArrayList<>();
        for (FunctionDescription.Parameter each : signature.parameters()) {
            boolean optional = each.count() == FunctionDescription.Count.OPTIONAL;
            parameters.add(new Value(each.name(), each.type(), optional));
        }
        List<Value> results = new ArrayList<>();
        for (FunctionDescription.Parameter each : signature.columns()) {
            results.add(new Value(each.name(), each.type(), false));
        }
        boolean rows = function.kind() == FunctionDescription.Kind.ROWS;
        if (results.isEmpty()) {
            results.add(new Value(rows ? "value" : "", signature.type(), false));
        }
        return new Routine(
                "",
                function.name(),
                rows ? Kind.TABLE_FUNCTION : Kind.FUNCTION,
                switch (function.kind()) {
                    case AGGREGATE, WINDOW -> function.kind().words() + ": " + function.sentence();
                    case FUNCTION, ROWS -> function.sentence();
                },
                parameters,
                results);
    }

    private static Routine ofJava(
            String name, String remarks, List<JavaFunction.Parameter> parameters, Type result) {
        List<Value> values = new ArrayList<>();
        for (int i = 0; i < parameters.size(); i++) {
            values.add(new Value("argument" + (i + 1), parameters.get(i).type(), false));
        }
        return new Routine(
                "",
                name,
                Kind.FUNCTION,
                (remarks + " in Java").strip(),
                values,
                List.of(new Value("", result, false)));
    }

    private static Routine of(ComputedTable table) {
        List<Value> parameters = new ArrayList<>();
        for (Column column : table.parameters()) {
            parameters.add(new Value(column.name(), column.type(), true));
        }
        List<Value> results = new ArrayList<>();
        for (Column column : table.columns()) {
            results.add(new Value(column.name(), column.type(), false));
        }
        Kind kind = table.acts() ? Kind.PROCEDURE : Kind.TABLE_FUNCTION;
        return new Routine(table.schema(), table.name(), kind, "", parameters, results);
    }
}

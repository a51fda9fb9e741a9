package dev.oriel.sql.bind;

import dev.oriel.sql.plan.Quoting;
import dev.oriel.sql.text.QualifiedName;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Procedure;
import dev.oriel.table.definition.SqlFunction;
import dev.oriel.table.definition.SqlFunction.Volatility;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// Lists the functions of SQL that users have defined, and the built-in ones.
final class FunctionInformation {
    /// Columns of `pg_proc`, as in [PgRows].
    static final String PG_PROC =
            "oid:n proname pronamespace:n proowner:n prolang:n prokind prosecdef:b proleakproof:b"
                    + " proisstrict:b proretset:b provolatile proparallel pronargs:n pronargdefaults:n"
                    + " prorettype:n proargtypes:v prosrc proallargtypes:a proargmodes:t proargnames:t";

    /// Number of the language SQL in PostgreSQL.
    private static final long SQL = 14;

    /// Number of the type RECORD in PostgreSQL.
    private static final long RECORD = 2249;

    /// Number of the type VOID in PostgreSQL.
    private static final long VOID = 2278;

    private FunctionInformation() {}

    /// @param schemas number of a schema by its name
    static void fill(PgRows rows, Catalog catalog, ToLongFunction<String> schemas, long owner) {
        for (SqlFunction function : catalog.functions()) {
            List<Long> types = new ArrayList<>();
            List<String> names = new ArrayList<>();
            for (SqlFunction.Parameter each : function.parameters()) {
                types.add(PgTypes.oid(each.type()));
                names.add(each.name());
            }
            List<Long> all = new ArrayList<>(types);
            List<String> modes = new ArrayList<>(Collections.nCopies(types.size(), "i"));
            for (SqlFunction.Result each : columns(function)) {
                all.add(PgTypes.oid(each.type()));
                modes.add("t");
                names.add(each.name());
            }
            boolean named = names.stream().anyMatch(name -> !name.isEmpty());
            int parameters = function.parameters().size();
            rows.add(
                    PgCatalog.oid(function.id()),
                    function.name(),
                    schemas.applyAsLong(function.schema()),
                    owner,
                    SQL,
                    "f",
                    false,
                    false,
                    function.traits().strict(),
                    function.returnsSet(),
                    letter(function.traits().volatility()),
                    "u",
                    parameters,
                    parameters - function.required(),
                    isRow(function) ? RECORD : PgTypes.oid(function.type()),
                    types,
                    function.body().text(),
                    isRow(function) ? all : null,
                    isRow(function) ? modes : null,
                    named ? names : null);
        }
        for (Procedure procedure : catalog.procedures()) {
            fill(rows, procedure, schemas.applyAsLong(procedure.schema()), owner);
        }
        PgBuiltIns.fill(rows, owner);
    }

    private static void fill(PgRows rows, Procedure procedure, long schema, long owner) {
        List<Long> given = new ArrayList<>();
        List<Long> all = new ArrayList<>();
        List<String> modes = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (Procedure.Parameter each : procedure.parameters()) {
            long type = PgTypes.oid(each.type());
            all.add(type);
            if (each.mode().in()) {
                given.add(type);
            }
            modes.add(
                    switch (each.mode()) {
                        case IN -> "i";
                        case INOUT -> "b";
                        case OUT -> "o";
                    });
            names.add(each.name());
        }
        boolean outputs = !procedure.outputs().isEmpty();
        rows.add(
                PgCatalog.oid(procedure.id()),
                procedure.name(),
                schema,
                owner,
                SQL,
                "p",
                false,
                false,
                false,
                false,
                "v",
                "u",
                given.size(),
                procedure.parameters().size() - procedure.required(),
                outputs ? RECORD : VOID,
                given,
                procedure.body().text(),
                outputs ? all : null,
                outputs ? modes : null,
                names.stream().allMatch(String::isEmpty) ? null : names);
    }

    private static String letter(Volatility volatility) {
        return volatility.name().substring(0, 1).toLowerCase(Locale.ROOT);
    }

    private static boolean isRow(SqlFunction function) {
        return function.result().size() > 1;
    }

    /// The columns of a result of rows.
    private static List<SqlFunction.Result> columns(SqlFunction function) {
        return isRow(function) ? function.result() : List.of();
    }

    private static @Nullable SqlFunction function(Catalog catalog, long oid) {
        for (SqlFunction function : catalog.functions()) {
            if (PgCatalog.oid(function.id()) == oid) {
                return function;
            }
        }
        return null;
    }

    /// Numbers of the functions and procedures called `path`, with or without a schema.
    static List<Long> called(Catalog catalog, QualifiedName name) {
        List<Long> found = new ArrayList<>();
        for (SqlFunction function : catalog.functions(name.path())) {
            found.add(PgCatalog.oid(function.id()));
        }
        if (name.schema().isEmpty() || name.schema().equalsIgnoreCase(PgCatalog.NAME)) {
            found.addAll(PgBuiltIns.called(name.name()));
        }
        return found;
    }

    /// Name of the function with the number `oid`; the number if there is none.
    static String name(Catalog catalog, long oid) {
        PgBuiltIns.BuiltIn builtIn = PgBuiltIns.of(oid);
        SqlFunction function = function(catalog, oid);
        return builtIn != null
                ? builtIn.function().name()
                : function != null
                        ? Quoting.name(function.name())
                        : oid == 0 ? "-" : Long.toString(oid);
    }

    /// The parameters of the function `oid` as CREATE FUNCTION takes them; null if there is no such function.
    static @Nullable String arguments(Catalog catalog, long oid, boolean withDefaults) {
        PgBuiltIns.BuiltIn builtIn = PgBuiltIns.of(oid);
        if (builtIn != null) {
            return PgBuiltIns.arguments(catalog, builtIn);
        }
        SqlFunction function = function(catalog, oid);
        if (function == null) {
            return null;
        }
        List<String> written = new ArrayList<>();
        for (SqlFunction.Parameter each : function.parameters()) {
            String name = each.name().isEmpty() ? "" : Quoting.name(each.name()) + " ";
            String otherwise = each.otherwise();
            written.add(
                    name
                            + PgTypes.formatted(catalog, PgTypes.oid(each.type()), -1)
                            + (withDefaults && otherwise != null ? " DEFAULT " + otherwise : ""));
        }
        return String.join(", ", written);
    }

    /// The result of the function `oid` as CREATE FUNCTION takes it; null if there is no such function.
    static @Nullable String result(Catalog catalog, long oid) {
        PgBuiltIns.BuiltIn builtIn = PgBuiltIns.of(oid);
        if (builtIn != null) {
            return PgBuiltIns.result(catalog, builtIn);
        }
        SqlFunction function = function(catalog, oid);
        if (function == null) {
            return null;
        }
        if (isRow(function)) {
            List<String> columns = new ArrayList<>();
            function.result()
                    .forEach(each ->
                            columns.add(
                                    Quoting.name(each.name())
                                            + " "
                                            + PgTypes.formatted(
                                                    catalog, PgTypes.oid(each.type()), -1)));
            return "TABLE(" + String.join(", ", columns) + ")";
        }
        String type = PgTypes.formatted(catalog, PgTypes.oid(function.type()), -1);
        return function.returnsSet() ? "SETOF " + type : type;
    }

    /// The table ROUTINES.
    static InformationSchema routines(Catalog catalog) {
        InformationSchema made =
                new InformationSchema(
                        catalog,
                        "routine_schema",
                        "routine_name",
                        "specific_name",
                        "routine_type",
                        "data_type",
                        "routine_body",
                        "routine_definition",
                        "external_language",
                        "is_deterministic",
                        "security_type",
                        "type_udt_schema",
                        "type_udt_name",
                        "character_maximum_length",
                        "numeric_precision",
                        "numeric_scale",
                        "datetime_precision",
                        "udt_catalog",
                        "udt_schema",
                        "udt_name");
        for (SqlFunction function : catalog.functions()) {
            boolean row = isRow(function);
            made.add(
                    function.schema(),
                    function.name(),
                    specific(function),
                    "FUNCTION",
                    row ? "record" : TypeInformation.called(function.type()),
                    "SQL",
                    function.body().text(),
                    "SQL",
                    function.traits().volatility() == Volatility.IMMUTABLE ? "YES" : "NO",
                    "INVOKER",
                    row ? PgCatalog.NAME : TypeInformation.schema(function.type()),
                    row ? "record" : PgTypes.called(function.type()),
                    row ? null : TypeInformation.length(function.type()),
                    row ? null : TypeInformation.precision(function.type()),
                    row ? null : TypeInformation.scale(function.type()),
                    row ? null : TypeInformation.secondDigits(function.type()),
                    null,
                    null,
                    null);
        }
        addProcedures(made, catalog);
        PgBuiltIns.addRoutines(made);
        return made.repeating("specific_schema")
                .ofCatalog("routine_catalog", "specific_catalog", "type_udt_catalog");
    }

    private static void addProcedures(InformationSchema made, Catalog catalog) {
        for (Procedure procedure : catalog.procedures()) {
            made.add(
                    procedure.schema(),
                    procedure.name(),
                    specific(procedure.name(), procedure.id()),
                    "PROCEDURE",
                    null,
                    "SQL",
                    procedure.body().text(),
                    "SQL",
                    "NO",
                    "INVOKER",
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null);
        }
    }

    /// Name of `function` that no other has.
    private static String specific(SqlFunction function) {
        return specific(function.name(), function.id());
    }

    private static String specific(String name, long id) {
        return name + "_" + PgCatalog.oid(id);
    }

    /// The table PARAMETERS. Columns of a result of rows are parameters of the mode OUT.
    static InformationSchema parameters(Catalog catalog) {
        InformationSchema made =
                new InformationSchema(
                        catalog,
                        "specific_schema",
                        "specific_name",
                        "ordinal_position",
                        "parameter_mode",
                        "is_result",
                        "as_locator",
                        "parameter_name",
                        "data_type",
                        "character_maximum_length",
                        "numeric_precision",
                        "numeric_scale",
                        "datetime_precision",
                        "udt_schema",
                        "udt_name",
                        "parameter_default");
        for (SqlFunction function : catalog.functions()) {
            int position = 0;
            for (SqlFunction.Parameter each : function.parameters()) {
                String name = specific(function);
                Parameter in = new Parameter(++position, "IN", each.name(), each.otherwise());
                add(made, function.schema(), name, in, each.type());
            }
            for (SqlFunction.Result each : columns(function)) {
                String name = specific(function);
                Parameter out = new Parameter(++position, "OUT", each.name(), null);
                add(made, function.schema(), name, out, each.type());
            }
        }
        for (Procedure procedure : catalog.procedures()) {
            int position = 0;
            for (Procedure.Parameter each : procedure.parameters()) {
                String name = specific(procedure.name(), procedure.id());
                Parameter own =
                        new Parameter(
                                ++position, each.mode().name(), each.name(), each.otherwise());
                add(made, procedure.schema(), name, own, each.type());
            }
        }
        PgBuiltIns.addParameters(made);
        return made.ofCatalog("specific_catalog", "udt_catalog");
    }

    private record Parameter(int position, String mode, String name, @Nullable String otherwise) {}

    private static void add(
            InformationSchema made, String schema, String specific, Parameter each, Type type) {
        made.add(
                schema,
                specific,
                each.position,
                each.mode,
                "NO",
                "NO",
                each.name.isEmpty() ? null : each.name,
                TypeInformation.called(type),
                TypeInformation.length(type),
                TypeInformation.precision(type),
                TypeInformation.scale(type),
                TypeInformation.secondDigits(type),
                TypeInformation.schema(type),
                PgTypes.called(type),
                each.otherwise);
    }
}

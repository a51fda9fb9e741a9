package dev.oriel.sql.bind;

import dev.oriel.sql.plan.Quoting;
import dev.oriel.sql.syntax.FunctionDescription;
import dev.oriel.sql.syntax.FunctionDescription.Count;
import dev.oriel.sql.syntax.FunctionDescription.Kind;
import dev.oriel.sql.syntax.FunctionDescription.Parameter;
import dev.oriel.sql.syntax.FunctionDescriptions;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Type;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/// The built-in functions in the tables of PostgreSQL: one row for each name and each list of types. The number of a
/// row follows from its name and types alone, so it is the same in all databases and versions.
final class PgBuiltIns {
    /// Number of the schema `pg_catalog`.
    private static final long SCHEMA = 11;

    /// Number of the language INTERNAL in PostgreSQL.
    private static final long INTERNAL = 12;

    /// Numbers begin here, far above those of definitions, and end below the greatest INTEGER.
    private static final long FIRST = 1L << 30;

    private static final long ANY = 2_276;
    private static final long ANY_ARRAY = 2_277;
    private static final long ANY_ELEMENT = 2_283;
    private static final long ANY_ENUM = 3_500;
    private static final long RECORD = 2_249;

    private PgBuiltIns() {}

    /// A built-in function with a list of parameters.
    record BuiltIn(long oid, FunctionDescription function, List<Parameter> parameters) {}

    /// Made when it is first needed.
    private static final class All {
        static final List<BuiltIn> BUILT_INS = made();
        static final Map<Long, BuiltIn> BY_OID = byOid(BUILT_INS);
    }

    static List<BuiltIn> all() {
        return All.BUILT_INS;
    }

    private static List<BuiltIn> made() {
        List<BuiltIn> all = new ArrayList<>();
        for (FunctionDescription function : FunctionDescriptions.all()) {
            for (List<Parameter> parameters : function.arities()) {
                all.add(new BuiltIn(oid(function, parameters), function, parameters));
            }
        }
        return List.copyOf(all);
    }

    private static long oid(FunctionDescription function, List<Parameter> parameters) {
        StringBuilder text = new StringBuilder(function.name()).append('(');
        for (Parameter each : parameters) {
            text.append(each.typeName())
                    .append(
                            switch (each.count()) {
                                case ONE, OPTIONAL -> ",";
                                case REPEATED -> "...,";
                                case ORDER -> " in order,";
                            });
        }
        CRC32 sum = new CRC32();
        sum.update(text.toString().getBytes(StandardCharsets.UTF_8));
        return FIRST | (sum.getValue() & (FIRST - 1));
    }

    private static Map<Long, BuiltIn> byOid(List<BuiltIn> all) {
        Map<Long, BuiltIn> byOid = new HashMap<>();
        for (BuiltIn each : all) {
            byOid.put(each.oid, each);
        }
        return byOid;
    }

    /// The function with the number `oid`; null if there is none.
    static @Nullable BuiltIn of(long oid) {
        return oid < FIRST || oid >= 2 * FIRST ? null : All.BY_OID.get(oid);
    }

    /// Numbers of the functions called `name`.
    static List<Long> called(String name) {
        List<Long> found = new ArrayList<>();
        for (BuiltIn each : All.BUILT_INS) {
            if (each.function.name().equalsIgnoreCase(name)) {
                found.add(each.oid);
            }
        }
        return found;
    }

    /// Adds the rows of `pg_proc`.
    static void fill(PgRows rows, long owner) {
        for (BuiltIn each : All.BUILT_INS) {
            FunctionDescription function = each.function;
            List<Long> types = new ArrayList<>();
            List<String> names = new ArrayList<>();
            List<String> modes = new ArrayList<>();
            for (Parameter parameter : each.parameters) {
                types.add(oid(parameter));
                names.add(parameter.name());
                modes.add(parameter.count() == Count.REPEATED ? "v" : "i");
            }
            List<Long> all = new ArrayList<>(types);
            for (Parameter column : function.signature().columns()) {
                all.add(oid(column));
                names.add(column.name());
                modes.add("t");
            }
            boolean plain = modes.stream().allMatch("i"::equals);
            rows.add(
                    each.oid,
                    function.name(),
                    SCHEMA,
                    owner,
                    INTERNAL,
                    kind(function.kind()),
                    false,
                    false,
                    function.isStrict(),
                    function.kind() == Kind.ROWS,
                    function.volatility().substring(0, 1),
                    "s",
                    types.size(),
                    0,
                    result(function),
                    types,
                    function.name(),
                    plain ? null : all,
                    plain ? null : modes,
                    names.isEmpty() ? null : names);
        }
    }

    private static String kind(Kind kind) {
        return switch (kind) {
            case FUNCTION, ROWS -> "f";
            case AGGREGATE -> "a";
            case WINDOW -> "w";
        };
    }

    private static long oid(Parameter parameter) {
        boolean repeated = parameter.count() == Count.REPEATED;
        Type type = parameter.type();
        return type == null
                ? repeated ? ANY : several(parameter.typeName())
                : PgTypes.oid(repeated ? Type.array(type) : type);
    }

    private static long result(FunctionDescription function) {
        Type type = function.signature().type();
        return type == null ? several(function.signature().result()) : PgTypes.oid(type);
    }

    /// The pseudo-type for a word that stands for several types.
    private static long several(String word) {
        return switch (word) {
            case "any[]", "enum[]" -> ANY_ARRAY;
            case "enum" -> ANY_ENUM;
            case "any", "number" -> ANY_ELEMENT;
            default -> RECORD;
        };
    }

    /// Name of a pseudo-type; null for other numbers.
    static @Nullable String pseudoType(long oid) {
        return switch ((int) oid) {
            case (int) ANY -> "\"any\"";
            case (int) ANY_ARRAY -> "anyarray";
            case (int) ANY_ELEMENT -> "anyelement";
            case (int) ANY_ENUM -> "anyenum";
            default -> null;
        };
    }

    /// The parameters of `function` as PostgreSQL writes them.
    static String arguments(Catalog catalog, BuiltIn function) {
        List<String> written = new ArrayList<>();
        for (Parameter each : function.parameters) {
            String mode = each.count() == Count.REPEATED ? "VARIADIC " : "";
            written.add(mode + Quoting.name(each.name()) + " " + type(catalog, oid(each)));
        }
        return String.join(", ", written);
    }

    /// The result of `function` as PostgreSQL writes it.
    static String result(Catalog catalog, BuiltIn function) {
        List<Parameter> columns = function.function.signature().columns();
        if (columns.isEmpty()) {
            String set = function.function.kind() == Kind.ROWS ? "SETOF " : "";
            return set + type(catalog, result(function.function));
        }
        List<String> written = new ArrayList<>();
        for (Parameter each : columns) {
            written.add(Quoting.name(each.name()) + " " + type(catalog, oid(each)));
        }
        return "TABLE(" + String.join(", ", written) + ")";
    }

    private static String type(Catalog catalog, long oid) {
        return PgTypes.formatted(catalog, oid, -1);
    }

    /// Adds the rows of ROUTINES.
    static void addRoutines(InformationSchema made) {
        for (BuiltIn each : All.BUILT_INS) {
            FunctionDescription function = each.function;
            Type type = function.signature().type();
            made.add(
                    PgCatalog.NAME,
                    function.name(),
                    specific(each),
                    function.kind() == Kind.FUNCTION || function.kind() == Kind.ROWS
                            ? "FUNCTION"
                            : null,
                    type == null ? pseudoName(result(function)) : TypeInformation.called(type),
                    "EXTERNAL",
                    null,
                    "INTERNAL",
                    function.volatility().equals("immutable") ? "YES" : "NO",
                    "INVOKER",
                    PgCatalog.NAME,
                    type == null ? pseudoName(result(function)) : PgTypes.called(type),
                    null,
                    type == null ? null : TypeInformation.precision(type),
                    type == null ? null : TypeInformation.scale(type),
                    type == null ? null : TypeInformation.secondDigits(type),
                    null,
                    null,
                    null);
        }
    }

    private static String pseudoName(long oid) {
        return oid == RECORD ? "record" : Objects.requireNonNull(pseudoType(oid));
    }

    private static String specific(BuiltIn function) {
        return function.function.name() + "_" + function.oid;
    }

    /// Adds the rows of PARAMETERS.
    static void addParameters(InformationSchema made) {
        for (BuiltIn each : All.BUILT_INS) {
            int position = 0;
            for (Parameter parameter : each.parameters) {
                add(made, each, ++position, "IN", parameter);
            }
            for (Parameter column : each.function.signature().columns()) {
                add(made, each, ++position, "OUT", column);
            }
        }
    }

    private static void add(
            InformationSchema made, BuiltIn function, int position, String mode, Parameter each) {
        Type type = each.type();
        boolean array = each.count() == Count.REPEATED && type != null;
        Type whole = array ? Type.array(Objects.requireNonNull(type)) : type;
        String pseudo = whole == null ? pseudoName(oid(each)).replace("\"", "") : "";
        made.add(
                PgCatalog.NAME,
                specific(function),
                position,
                mode,
                "NO",
                "NO",
                each.name(),
                whole == null ? pseudo : TypeInformation.called(whole),
                null,
                whole == null ? null : TypeInformation.precision(whole),
                whole == null ? null : TypeInformation.scale(whole),
                whole == null ? null : TypeInformation.secondDigits(whole),
                PgCatalog.NAME,
                whole == null ? pseudo : PgTypes.called(whole),
                null);
    }
}

package dev.oriel;

import dev.oriel.sql.engine.Routine;
import dev.oriel.table.definition.Type;
import java.sql.DatabaseMetaData;
import java.sql.Types;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The callable routines, as DatabaseMetaData lists them. The type of a value that may be of several types, or
/// follows from the arguments, is called `ANY`.
final class RoutineListing {
    private static final String ANY = "ANY";

    private final List<Routine> routines;

    /// A name for each routine that no other has: some share name and schema, and differ in parameters.
    private final IdentityHashMap<Routine, String> specific = new IdentityHashMap<>();

    /// @param routines listed if `wanted` accepts them
    RoutineListing(List<Routine> routines, Predicate<Routine> wanted) {
        this.routines =
                routines.stream()
                        .filter(wanted)
                        .sorted(
                                Comparator.comparing(Routine::schema)
                                        .thenComparing(
                                                Routine::name, String.CASE_INSENSITIVE_ORDER))
                        .toList();
        Map<String, Integer> seen = new HashMap<>();
        for (Routine routine : this.routines) {
            String whole =
                    routine.schema().isEmpty()
                            ? routine.name()
                            : routine.schema() + "." + routine.name();
            int number = seen.merge(whole, 1, Integer::sum);
            specific.put(routine, number == 1 ? whole : whole + "_" + number);
        }
    }

    static boolean isProcedure(Routine routine) {
        return routine.kind() == Routine.Kind.PROCEDURE;
    }

    private static @Nullable String schema(Routine routine) {
        return routine.schema().isEmpty() ? null : routine.schema();
    }

    private String specificName(Routine routine) {
        return Objects.requireNonNull(specific.get(routine));
    }

    Listing functions() {
        Listing listing =
                new Listing(
                        "FUNCTION_CAT",
                        "FUNCTION_SCHEM",
                        "FUNCTION_NAME",
                        "REMARKS",
                        "FUNCTION_TYPE SMALLINT",
                        "SPECIFIC_NAME");
        for (Routine routine : routines) {
            listing.add(
                    null,
                    schema(routine),
                    routine.name(),
                    routine.remarks(),
                    routine.kind() == Routine.Kind.TABLE_FUNCTION
                            ? DatabaseMetaData.functionReturnsTable
                            : DatabaseMetaData.functionNoTable,
                    specificName(routine));
        }
        return listing;
    }

    Listing procedures() {
        Listing listing =
                new Listing(
                        "PROCEDURE_CAT",
                        "PROCEDURE_SCHEM",
                        "PROCEDURE_NAME",
                        "RESERVED1",
                        "RESERVED2",
                        "RESERVED3",
                        "REMARKS",
                        "PROCEDURE_TYPE SMALLINT",
                        "SPECIFIC_NAME");
        for (Routine routine : routines) {
            listing.add(
                    null,
                    schema(routine),
                    routine.name(),
                    null,
                    null,
                    null,
                    routine.remarks(),
                    DatabaseMetaData.procedureNoResult,
                    specificName(routine));
        }
        return listing;
    }

    /// @param wanted accepts names of parameters and columns to be listed
    Listing functionColumns(Predicate<String> wanted) {
        Listing listing =
                new Listing(
                        "FUNCTION_CAT",
                        "FUNCTION_SCHEM",
                        "FUNCTION_NAME",
                        "COLUMN_NAME",
                        "COLUMN_TYPE SMALLINT",
                        "DATA_TYPE INTEGER",
                        "TYPE_NAME",
                        "PRECISION INTEGER",
                        "LENGTH INTEGER",
                        "SCALE SMALLINT",
                        "RADIX SMALLINT",
                        "NULLABLE SMALLINT",
                        "REMARKS",
                        "CHAR_OCTET_LENGTH INTEGER",
                        "ORDINAL_POSITION INTEGER",
                        "IS_NULLABLE",
                        "SPECIFIC_NAME");
        for (Routine routine : routines) {
            boolean one = routine.kind() == Routine.Kind.FUNCTION;
            int result =
                    one ? DatabaseMetaData.functionReturn : DatabaseMetaData.functionColumnResult;
            // A function's result comes before its parameters, and has the number 0.
            for (int i = 0; one && i < routine.results().size(); i++) {
                addFunctionColumn(listing, routine, routine.results().get(i), result, 0, wanted);
            }
            for (int i = 0; i < routine.parameters().size(); i++) {
                Routine.Value value = routine.parameters().get(i);
                addFunctionColumn(
                        listing, routine, value, DatabaseMetaData.functionColumnIn, i + 1, wanted);
            }
            for (int i = 0; !one && i < routine.results().size(); i++) {
                Routine.Value value = routine.results().get(i);
                addFunctionColumn(listing, routine, value, result, i + 1, wanted);
            }
        }
        return listing;
    }

    private void addFunctionColumn(
            Listing listing,
            Routine routine,
            Routine.Value value,
            int kind,
            int ordinal,
            Predicate<String> wanted) {
        if (!wanted.test(value.name())) {
            return;
        }
        Type type = value.type();
        listing.add(
                null,
                schema(routine),
                routine.name(),
                value.name(),
                kind,
                code(type),
                name(type),
                precision(type),
                null,
                scale(type),
                type != null && JdbcTypes.isSigned(type) ? 10 : null,
                DatabaseMetaData.functionNullable,
                value.optional() ? "optional" : "",
                octets(type),
                ordinal,
                "YES",
                specificName(routine));
    }

    /// @param wanted accepts names of parameters and columns to be listed
    Listing procedureColumns(Predicate<String> wanted) {
        Listing listing =
                new Listing(
                        "PROCEDURE_CAT",
                        "PROCEDURE_SCHEM",
                        "PROCEDURE_NAME",
                        "COLUMN_NAME",
                        "COLUMN_TYPE SMALLINT",
                        "DATA_TYPE INTEGER",
                        "TYPE_NAME",
                        "PRECISION INTEGER",
                        "LENGTH INTEGER",
                        "SCALE SMALLINT",
                        "RADIX SMALLINT",
                        "NULLABLE SMALLINT",
                        "REMARKS",
                        "COLUMN_DEF",
                        "SQL_DATA_TYPE INTEGER",
                        "SQL_DATETIME_SUB INTEGER",
                        "CHAR_OCTET_LENGTH INTEGER",
                        "ORDINAL_POSITION INTEGER",
                        "IS_NULLABLE",
                        "SPECIFIC_NAME");
        for (Routine routine : routines) {
            for (int i = 0; i < routine.parameters().size(); i++) {
                Routine.Value value = routine.parameters().get(i);
                int mode =
                        switch (value.mode()) {
                            case IN -> DatabaseMetaData.procedureColumnIn;
                            case INOUT -> DatabaseMetaData.procedureColumnInOut;
                            case OUT -> DatabaseMetaData.procedureColumnOut;
                        };
                addProcedureColumn(listing, routine, value, mode, i + 1, wanted);
            }
            for (int i = 0; i < routine.results().size(); i++) {
                Routine.Value value = routine.results().get(i);
                addProcedureColumn(
                        listing,
                        routine,
                        value,
                        DatabaseMetaData.procedureColumnResult,
                        i + 1,
                        wanted);
            }
        }
        return listing;
    }

    private void addProcedureColumn(
            Listing listing,
            Routine routine,
            Routine.Value value,
            int kind,
            int ordinal,
            Predicate<String> wanted) {
        if (!wanted.test(value.name())) {
            return;
        }
        Type type = value.type();
        listing.add(
                null,
                schema(routine),
                routine.name(),
                value.name(),
                kind,
                code(type),
                name(type),
                precision(type),
                null,
                scale(type),
                type != null && JdbcTypes.isSigned(type) ? 10 : null,
                DatabaseMetaData.procedureNullable,
                value.optional() ? "optional" : "",
                value.optional() ? "NULL" : null,
                null,
                null,
                octets(type),
                ordinal,
                "YES",
                specificName(routine));
    }

    private static int code(@Nullable Type type) {
        return type == null ? Types.OTHER : JdbcTypes.code(type);
    }

    private static String name(@Nullable Type type) {
        return type == null ? ANY : JdbcTypes.name(type);
    }

    private static @Nullable Integer precision(@Nullable Type type) {
        return type == null ? null : JdbcTypes.precision(type);
    }

    private static @Nullable Integer scale(@Nullable Type type) {
        return type == null || !JdbcTypes.isSigned(type) ? null : JdbcTypes.scale(type);
    }

    private static @Nullable Integer octets(@Nullable Type type) {
        return type == null || !JdbcTypes.isText(type) ? null : JdbcTypes.precision(type);
    }
}

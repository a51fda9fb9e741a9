package dev.oriel;

import dev.oriel.table.definition.SearchPath;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The schemas, the types of users, and listings of objects that Oriel does not have: empty, with the columns that
/// JDBC names for them.
abstract class MetaDataListings extends MetaDataFacts {
    private static final List<String> SCHEMAS =
            List.of("information_schema", "pg_catalog", SearchPath.shown(""), "sys");

    MetaDataListings(JdbcConnection connection) {
        super(connection);
    }

    /// Name of `schema` for users.
    static String called(String schema) {
        return SearchPath.shown(schema);
    }

    /// Name of the first of `schemas` for users; null if there is none.
    static @Nullable String called(List<String> schemas) {
        return schemas.isEmpty() ? null : called(schemas.getFirst());
    }

    private ResultSet nothing(String columns) throws SQLException {
        connection().checkOpen();
        String[] specification = columns.split(" ");
        for (int i = 0; i < specification.length; i++) {
            specification[i] = specification[i].replace(':', ' ');
        }
        return new Listing(specification).open(connection());
    }

    @Override
    public ResultSet getCatalogs() throws SQLException {
        return nothing("TABLE_CAT");
    }

    @Override
    public ResultSet getSchemas() throws SQLException {
        return getSchemas(null, null);
    }

    @Override
    public ResultSet getSchemas(@Nullable String catalog, @Nullable String pattern)
            throws SQLException {
        connection().checkOpen();
        Listing listing = new Listing("TABLE_SCHEM", "TABLE_CATALOG");
        if (catalog == null || catalog.isEmpty()) {
            Pattern names = JdbcDatabaseMetaData.pattern(pattern);
            Set<String> all = new TreeSet<>(SCHEMAS);
            connection().catalog().schemas().forEach(schema -> all.add(schema.name()));
            if (!connection().catalog().temporary().isEmpty()) {
                all.add(connection().catalog().temporary());
            }
            all.stream()
                    .filter(name -> names.matcher(name).matches())
                    .forEach(name -> listing.add(name, null));
        }
        return listing.open(connection());
    }

    @Override
    public ResultSet getColumnPrivileges(
            @Nullable String catalog,
            @Nullable String schema,
            @Nullable String pattern,
            @Nullable String columnPattern)
            throws SQLException {
        return nothing(
                "TABLE_CAT TABLE_SCHEM TABLE_NAME COLUMN_NAME GRANTOR GRANTEE PRIVILEGE "
                        + "IS_GRANTABLE");
    }

    @Override
    public ResultSet getTablePrivileges(
            @Nullable String catalog, @Nullable String schema, @Nullable String pattern)
            throws SQLException {
        return nothing("TABLE_CAT TABLE_SCHEM TABLE_NAME GRANTOR GRANTEE PRIVILEGE IS_GRANTABLE");
    }

    @Override
    public ResultSet getUDTs(
            @Nullable String catalog,
            @Nullable String schema,
            @Nullable String pattern,
            int @Nullable [] types)
            throws SQLException {
        Set<Integer> kinds = new TreeSet<>();
        if (types != null) {
            Arrays.stream(types).forEach(kinds::add);
        }
        return userTypes(catalog, schema, pattern)
                .types(types == null ? null : kinds::contains)
                .open(connection());
    }

    private UserTypeListing userTypes(
            @Nullable String catalog, @Nullable String schema, @Nullable String pattern)
            throws SQLException {
        connection().checkOpen();
        boolean some =
                (catalog == null || catalog.isEmpty())
                        && JdbcDatabaseMetaData.pattern(schema).matcher(called("")).matches();
        Pattern names = JdbcDatabaseMetaData.pattern(pattern);
        return new UserTypeListing(
                connection().catalog(), name -> some && names.matcher(name).matches());
    }

    @Override
    public ResultSet getSuperTypes(
            @Nullable String catalog, @Nullable String schema, @Nullable String pattern)
            throws SQLException {
        return nothing(
                "TYPE_CAT TYPE_SCHEM TYPE_NAME SUPERTYPE_CAT SUPERTYPE_SCHEM SUPERTYPE_NAME");
    }

    @Override
    public ResultSet getSuperTables(
            @Nullable String catalog, @Nullable String schema, @Nullable String pattern)
            throws SQLException {
        return nothing("TABLE_CAT TABLE_SCHEM TABLE_NAME SUPERTABLE_NAME");
    }

    @Override
    public ResultSet getAttributes(
            @Nullable String catalog,
            @Nullable String schema,
            @Nullable String pattern,
            @Nullable String attributePattern)
            throws SQLException {
        return userTypes(catalog, schema, pattern)
                .attributes(JdbcDatabaseMetaData.pattern(attributePattern).asMatchPredicate())
                .open(connection());
    }

    @Override
    public ResultSet getPseudoColumns(
            @Nullable String catalog,
            @Nullable String schema,
            @Nullable String pattern,
            @Nullable String columnPattern)
            throws SQLException {
        return nothing(
                "TABLE_CAT TABLE_SCHEM TABLE_NAME COLUMN_NAME DATA_TYPE:INTEGER "
                        + "COLUMN_SIZE:INTEGER DECIMAL_DIGITS:INTEGER NUM_PREC_RADIX:INTEGER "
                        + "COLUMN_USAGE REMARKS CHAR_OCTET_LENGTH:INTEGER IS_NULLABLE");
    }
}

package dev.oriel.liquibase;

import java.math.BigInteger;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Set;
import liquibase.CatalogAndSchema;
import liquibase.database.AbstractJdbcDatabase;
import liquibase.database.DatabaseConnection;
import liquibase.database.jvm.JdbcConnection;
import liquibase.exception.DatabaseException;
import liquibase.exception.UnexpectedLiquibaseException;
import liquibase.structure.DatabaseObject;
import liquibase.structure.core.Schema;
import org.jspecify.annotations.Nullable;

/// Oriel's SQL for Liquibase: the standard's.
public final class OrielDatabase extends AbstractJdbcDatabase {
    /// Words that PostgreSQL does not reserve either, but Liquibase's list of the standard's words has.
    private static final Set<String> RESERVED =
            Set.of(
                    "ALL",
                    "AND",
                    "ANY",
                    "ARRAY",
                    "AS",
                    "BETWEEN",
                    "BY",
                    "CASE",
                    "CAST",
                    "CHECK",
                    "CONSTRAINT",
                    "CREATE",
                    "CROSS",
                    "DEFAULT",
                    "DELETE",
                    "DESC",
                    "DISTINCT",
                    "DROP",
                    "ELSE",
                    "END",
                    "EXCEPT",
                    "EXISTS",
                    "FALSE",
                    "FETCH",
                    "FOR",
                    "FOREIGN",
                    "FROM",
                    "FULL",
                    "GROUP",
                    "HAVING",
                    "IN",
                    "INNER",
                    "INSERT",
                    "INTERSECT",
                    "INTO",
                    "IS",
                    "JOIN",
                    "LEFT",
                    "LIKE",
                    "LIMIT",
                    "NATURAL",
                    "NOT",
                    "NULL",
                    "OFFSET",
                    "ON",
                    "OR",
                    "ORDER",
                    "OUTER",
                    "PRIMARY",
                    "QUALIFY",
                    "REFERENCES",
                    "RETURNING",
                    "RIGHT",
                    "SELECT",
                    "SET",
                    "TABLE",
                    "THEN",
                    "TO",
                    "TRUE",
                    "UNION",
                    "UNIQUE",
                    "UPDATE",
                    "USER",
                    "USING",
                    "VALUES",
                    "WHEN",
                    "WHERE",
                    "WINDOW",
                    "WITH");

    private static final Set<String> SIZED =
            Set.of("char", "varchar", "varbinary", "decimal", "numeric");

    /// Search path of the connection before a default schema was set; null if none was.
    private @Nullable String ownPath;

    /// Search path that begins with the default schema; null if none was set.
    private @Nullable String usedPath;

    /// For the service loader.
    public OrielDatabase() {
        setCurrentDateTimeFunction("LOCALTIMESTAMP");
        sequenceNextValueFunction = "NEXTVAL('%s')";
        sequenceCurrentValueFunction = "CURRVAL('%s')";
    }

    @Override
    public int getPriority() {
        return PRIORITY_DEFAULT;
    }

    @Override
    public String getShortName() {
        return "oriel";
    }

    @Override
    protected String getDefaultDatabaseProductName() {
        return "Oriel";
    }

    @Override
    public boolean isCorrectDatabaseImplementation(DatabaseConnection connection)
            throws DatabaseException {
        return "Oriel".equals(connection.getDatabaseProductName());
    }

    @Override
    public @Nullable String getDefaultDriver(String url) {
        return url.startsWith("jdbc:oriel:") ? "dev.oriel.OrielDriver" : null;
    }

    @Override
    public @Nullable Integer getDefaultPort() {
        return null;
    }

    @Override
    public boolean requiresUsername() {
        return false;
    }

    @Override
    public boolean requiresPassword() {
        return false;
    }

    @Override
    public boolean supportsTablespaces() {
        return false;
    }

    @Override
    public boolean supportsInitiallyDeferrableColumns() {
        return true;
    }

    /// Only these types take a length or a precision, whatever the driver says about the size of others.
    @Override
    public boolean dataTypeIsNotModifiable(String type) {
        return !SIZED.contains(type.toLowerCase(Locale.ROOT));
    }

    @Override
    public int getDataTypeMaxParameters(String type) {
        String name = type.toLowerCase(Locale.ROOT);
        return name.equals("decimal") || name.equals("numeric") ? 2 : SIZED.contains(name) ? 1 : 0;
    }

    @Override
    public boolean supportsSequences() {
        return true;
    }

    @Override
    public boolean supportsCatalogInObjectName(Class<? extends DatabaseObject> type) {
        return false;
    }

    @Override
    public boolean supportsDDLInTransaction() {
        return true;
    }

    @Override
    public boolean supportsDropTableCascadeConstraints() {
        return true;
    }

    @Override
    public boolean createsIndexesForForeignKeys() {
        return false;
    }

    /// Also puts the schema before the others of the connection's search path, for statements that name none. A
    /// changelog may make the schema.
    @Override
    public void setDefaultSchemaName(@Nullable String schema) {
        super.setDefaultSchemaName(schema);
        if (schema == null && ownPath == null) {
            return;
        }
        if (getConnection() instanceof JdbcConnection connection) {
            try {
                if (schema == null && connection.isClosed()) {
                    return;
                }
                String own = ownPath == null ? path() : ownPath;
                String used =
                        schema == null ? own : escapeObjectName(schema, Schema.class) + ", " + own;
                setPath(used);
                ownPath = own;
                usedPath = used;
            } catch (DatabaseException e) {
                throw new UnexpectedLiquibaseException(e);
            }
        }
    }

    private String path() throws DatabaseException {
        try (var statement = ((JdbcConnection) getConnection()).createStatement();
                var rows = statement.executeQuery("SHOW search_path")) {
            return rows.next() ? rows.getString(1) : "";
        } catch (SQLException e) {
            throw new DatabaseException(e);
        }
    }

    private void setPath(String path) throws DatabaseException {
        try (var statement = ((JdbcConnection) getConnection()).createStatement()) {
            statement.execute("SET search_path TO " + path);
        } catch (SQLException e) {
            throw new DatabaseException(e);
        }
    }

    /// Sets the search path again, which may have been set in the transaction.
    @Override
    public void rollback() throws DatabaseException {
        super.rollback();
        String used = usedPath;
        if (used != null && !getConnection().isClosed()) {
            setPath(used);
        }
    }

    /// Leaves the connection as it was, since it may go back to a pool. The path belongs to a transaction, so it is
    /// committed, after work that was not is rolled back.
    @Override
    public void close() throws DatabaseException {
        String own = ownPath;
        ownPath = null;
        usedPath = null;
        try {
            if (own != null && !getConnection().isClosed()) {
                getConnection().rollback();
                setPath(own);
                getConnection().commit();
            }
        } finally {
            super.close();
        }
    }

    @Override
    protected @Nullable String getConnectionSchemaName() {
        try {
            return getConnection() instanceof JdbcConnection connection
                    ? connection.getUnderlyingConnection().getSchema()
                    : null;
        } catch (SQLException e) {
            throw new UnexpectedLiquibaseException(e);
        }
    }

    @Override
    public boolean isReservedWord(String word) {
        return RESERVED.contains(word.toUpperCase(Locale.ROOT));
    }

    /// A name keeps the case of its letters, and is found by letters of either case.
    @Override
    public String correctObjectName(String name, Class<? extends DatabaseObject> type) {
        return name;
    }

    @Override
    public boolean isCaseSensitive() {
        return false;
    }

    @Override
    protected String getAutoIncrementClause() {
        return "GENERATED BY DEFAULT AS IDENTITY";
    }

    @Override
    public String getAutoIncrementClause(
            @Nullable BigInteger start,
            @Nullable BigInteger step,
            @Nullable String generation,
            @Nullable Boolean onNull) {
        String options =
                (start == null ? "" : " START WITH " + start)
                        + (step == null ? "" : " INCREMENT BY " + step);
        String clause =
                "ALWAYS".equalsIgnoreCase(generation)
                        ? "GENERATED ALWAYS AS IDENTITY"
                        : getAutoIncrementClause();
        return options.isEmpty() ? clause : clause + " (" + options.substring(1) + ")";
    }

    @Override
    public String getViewDefinition(CatalogAndSchema schema, String view) throws DatabaseException {
        JdbcConnection connection = (JdbcConnection) getConnection();
        try (var statement =
                connection.prepareStatement(
                        "SELECT view_definition FROM information_schema.views WHERE"
                                + " LOWER(table_schema) = LOWER(?) AND LOWER(table_name) ="
                                + " LOWER(?)")) {
            statement.setString(1, schema.customize(this).getSchemaName());
            statement.setString(2, view);
            try (var rows = statement.executeQuery()) {
                return rows.next() ? rows.getString(1) : "";
            }
        } catch (SQLException e) {
            throw new DatabaseException(e);
        }
    }
}

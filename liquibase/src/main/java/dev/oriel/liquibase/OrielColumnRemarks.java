package dev.oriel.liquibase;

import liquibase.database.Database;
import liquibase.sql.Sql;
import liquibase.sql.UnparsedSql;
import liquibase.sqlgenerator.SqlGeneratorChain;
import liquibase.sqlgenerator.core.SetColumnRemarksGenerator;
import liquibase.statement.core.SetColumnRemarksStatement;
import org.jspecify.annotations.Nullable;

/// COMMENT ON COLUMN.
public final class OrielColumnRemarks extends SetColumnRemarksGenerator {
    /// For the service loader.
    public OrielColumnRemarks() {}

    @Override
    public int getPriority() {
        return PRIORITY_DATABASE;
    }

    @Override
    public boolean supports(SetColumnRemarksStatement statement, Database database) {
        return database instanceof OrielDatabase;
    }

    @Override
    @SuppressWarnings("rawtypes") // as Liquibase declares it
    public Sql[] generateSql(
            SetColumnRemarksStatement statement, Database database, SqlGeneratorChain chain) {
        String table =
                database.escapeTableName(
                        statement.getCatalogName(),
                        statement.getSchemaName(),
                        statement.getTableName());
        String column =
                table
                        + "."
                        + database.escapeColumnName(null, null, table, statement.getColumnName());
        return new Sql[] {
            new UnparsedSql("COMMENT ON COLUMN " + column + " IS " + text(statement.getRemarks()))
        };
    }

    private static String text(@Nullable String remarks) {
        return remarks == null ? "NULL" : "'" + remarks.replace("'", "''") + "'";
    }
}

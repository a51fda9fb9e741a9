package dev.oriel.liquibase;

import liquibase.database.Database;
import liquibase.sql.Sql;
import liquibase.sql.UnparsedSql;
import liquibase.sqlgenerator.SqlGeneratorChain;
import liquibase.sqlgenerator.core.SetTableRemarksGenerator;
import liquibase.statement.core.SetTableRemarksStatement;
import org.jspecify.annotations.Nullable;

/// COMMENT ON TABLE.
public final class OrielTableRemarks extends SetTableRemarksGenerator {
    /// For the service loader.
    public OrielTableRemarks() {}

    @Override
    public int getPriority() {
        return PRIORITY_DATABASE;
    }

    @Override
    public boolean supports(SetTableRemarksStatement statement, Database database) {
        return database instanceof OrielDatabase;
    }

    @Override
    @SuppressWarnings("rawtypes") // as Liquibase declares it
    public Sql[] generateSql(
            SetTableRemarksStatement statement, Database database, SqlGeneratorChain chain) {
        String table =
                database.escapeTableName(
                        statement.getCatalogName(),
                        statement.getSchemaName(),
                        statement.getTableName());
        return new Sql[] {
            new UnparsedSql("COMMENT ON TABLE " + table + " IS " + text(statement.getRemarks()))
        };
    }

    private static String text(@Nullable String remarks) {
        return remarks == null ? "NULL" : "'" + remarks.replace("'", "''") + "'";
    }
}

package dev.oriel.liquibase;

import liquibase.database.Database;
import liquibase.sql.Sql;
import liquibase.sql.UnparsedSql;
import liquibase.sqlgenerator.SqlGeneratorChain;
import liquibase.sqlgenerator.core.RenameTableGenerator;
import liquibase.statement.core.RenameTableStatement;
import liquibase.structure.core.Table;

/// ALTER TABLE RENAME TO.
public final class OrielRenameTable extends RenameTableGenerator {
    /// For the service loader.
    public OrielRenameTable() {}

    @Override
    public int getPriority() {
        return PRIORITY_DATABASE;
    }

    @Override
    public boolean supports(RenameTableStatement statement, Database database) {
        return database instanceof OrielDatabase;
    }

    @Override
    @SuppressWarnings("rawtypes") // as Liquibase declares it
    public Sql[] generateSql(
            RenameTableStatement statement, Database database, SqlGeneratorChain chain) {
        return new Sql[] {
            new UnparsedSql(
                    "ALTER TABLE "
                            + database.escapeTableName(
                                    statement.getCatalogName(),
                                    statement.getSchemaName(),
                                    statement.getOldTableName())
                            + " RENAME TO "
                            + database.escapeObjectName(statement.getNewTableName(), Table.class))
        };
    }
}

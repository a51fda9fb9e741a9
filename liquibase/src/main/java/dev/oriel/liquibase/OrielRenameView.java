package dev.oriel.liquibase;

import liquibase.database.Database;
import liquibase.sql.Sql;
import liquibase.sql.UnparsedSql;
import liquibase.sqlgenerator.SqlGeneratorChain;
import liquibase.sqlgenerator.core.RenameViewGenerator;
import liquibase.statement.core.RenameViewStatement;
import liquibase.structure.core.View;

/// ALTER VIEW RENAME TO.
public final class OrielRenameView extends RenameViewGenerator {
    /// For the service loader.
    public OrielRenameView() {}

    @Override
    public int getPriority() {
        return PRIORITY_DATABASE;
    }

    @Override
    public boolean supports(RenameViewStatement statement, Database database) {
        return database instanceof OrielDatabase;
    }

    @Override
    @SuppressWarnings("rawtypes") // as Liquibase declares it
    public Sql[] generateSql(
            RenameViewStatement statement, Database database, SqlGeneratorChain chain) {
        return new Sql[] {
            new UnparsedSql(
                    "ALTER VIEW "
                            + database.escapeViewName(
                                    statement.getCatalogName(),
                                    statement.getSchemaName(),
                                    statement.getOldViewName())
                            + " RENAME TO "
                            + database.escapeObjectName(statement.getNewViewName(), View.class))
        };
    }
}

package dev.oriel.liquibase;

import liquibase.database.Database;
import liquibase.sql.Sql;
import liquibase.sql.UnparsedSql;
import liquibase.sqlgenerator.SqlGeneratorChain;
import liquibase.sqlgenerator.core.DropPrimaryKeyGenerator;
import liquibase.statement.core.DropPrimaryKeyStatement;
import liquibase.structure.core.PrimaryKey;

/// ALTER TABLE DROP CONSTRAINT, with the default name of a primary key if it was given none.
public final class OrielDropPrimaryKey extends DropPrimaryKeyGenerator {
    /// For the service loader.
    public OrielDropPrimaryKey() {}

    @Override
    public int getPriority() {
        return PRIORITY_DATABASE;
    }

    @Override
    public boolean supports(DropPrimaryKeyStatement statement, Database database) {
        return database instanceof OrielDatabase;
    }

    @Override
    @SuppressWarnings("rawtypes") // as Liquibase declares it
    public Sql[] generateSql(
            DropPrimaryKeyStatement statement, Database database, SqlGeneratorChain chain) {
        String given = statement.getConstraintName();
        String name = given == null ? statement.getTableName() + "_pkey" : given;
        return new Sql[] {
            new UnparsedSql(
                    "ALTER TABLE "
                            + database.escapeTableName(
                                    statement.getCatalogName(),
                                    statement.getSchemaName(),
                                    statement.getTableName())
                            + " DROP CONSTRAINT "
                            + database.escapeObjectName(name, PrimaryKey.class))
        };
    }
}

package dev.oriel.liquibase;

import java.math.BigInteger;
import liquibase.database.Database;
import liquibase.sql.Sql;
import liquibase.sql.UnparsedSql;
import liquibase.sqlgenerator.SqlGeneratorChain;
import liquibase.sqlgenerator.core.AddAutoIncrementGenerator;
import liquibase.statement.core.AddAutoIncrementStatement;

/// ALTER TABLE ALTER COLUMN ADD GENERATED AS IDENTITY.
public final class OrielAutoIncrement extends AddAutoIncrementGenerator {
    /// For the service loader.
    public OrielAutoIncrement() {}

    @Override
    public int getPriority() {
        return PRIORITY_DATABASE;
    }

    @Override
    public boolean supports(AddAutoIncrementStatement statement, Database database) {
        return database instanceof OrielDatabase;
    }

    @Override
    @SuppressWarnings("rawtypes") // as Liquibase declares it
    public Sql[] generateSql(
            AddAutoIncrementStatement statement, Database database, SqlGeneratorChain chain) {
        BigInteger start = statement.getStartWith();
        BigInteger step = statement.getIncrementBy();
        String column =
                database.escapeColumnName(
                        statement.getCatalogName(),
                        statement.getSchemaName(),
                        statement.getTableName(),
                        statement.getColumnName());
        return new Sql[] {
            new UnparsedSql(
                    "ALTER TABLE "
                            + database.escapeTableName(
                                    statement.getCatalogName(),
                                    statement.getSchemaName(),
                                    statement.getTableName())
                            + " ALTER COLUMN "
                            + column
                            + " ADD "
                            + database.getAutoIncrementClause(
                                    start,
                                    step,
                                    statement.getGenerationType(),
                                    statement.getDefaultOnNull()))
        };
    }
}

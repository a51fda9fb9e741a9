package dev.oriel.liquibase;

import java.util.ArrayList;
import java.util.List;
import liquibase.database.Database;
import liquibase.exception.LiquibaseException;
import liquibase.exception.UnexpectedLiquibaseException;
import liquibase.sql.Sql;
import liquibase.sql.UnparsedSql;
import liquibase.sqlgenerator.SqlGeneratorChain;
import liquibase.sqlgenerator.core.InsertOrUpdateGenerator;
import liquibase.statement.core.InsertOrUpdateStatement;

/// The rows of loadUpdateData: an UPDATE, and a MERGE that inserts missing rows. The table needs no unique key.
public final class OrielInsertOrUpdate extends InsertOrUpdateGenerator {
    /// For the service loader.
    public OrielInsertOrUpdate() {}

    @Override
    public boolean supports(InsertOrUpdateStatement statement, Database database) {
        return database instanceof OrielDatabase;
    }

    @Override
    @SuppressWarnings("rawtypes") // as Liquibase declares it
    public Sql[] generateSql(
            InsertOrUpdateStatement statement, Database database, SqlGeneratorChain chain) {
        String same = getWhereClause(statement, database);
        List<Sql> all = new ArrayList<>();
        if (statement.getColumnValues().keySet().stream()
                .anyMatch(column -> changes(statement, column))) {
            all.add(sql(update(statement, database, same, chain)));
        }
        if (!Boolean.TRUE.equals(statement.getOnlyUpdate())) {
            String table =
                    database.escapeTableName(
                            statement.getCatalogName(),
                            statement.getSchemaName(),
                            statement.getTableName());
            String insert = withoutEnd(getInsertStatement(statement, database, chain));
            String values = insert.substring(insert.indexOf('('));
            all.add(
                    sql(
                            "MERGE INTO "
                                    + table
                                    + " USING (SELECT 1) AS one_row ON "
                                    + same
                                    + " WHEN NOT MATCHED THEN INSERT "
                                    + values));
        }
        return all.toArray(Sql[]::new);
    }

    private static boolean changes(InsertOrUpdateStatement statement, String column) {
        return !List.of(statement.getPrimaryKey().split(",")).contains(column)
                && statement.getAllowColumnUpdate(column);
    }

    @SuppressWarnings("rawtypes") // as Liquibase declares it
    private String update(
            InsertOrUpdateStatement statement,
            Database database,
            String same,
            SqlGeneratorChain chain) {
        try {
            return withoutEnd(getUpdateStatement(statement, database, same, chain));
        } catch (LiquibaseException e) {
            throw new UnexpectedLiquibaseException(e);
        }
    }

    private static String withoutEnd(String statement) {
        String text = statement.strip();
        while (text.endsWith(";")) {
            text = text.substring(0, text.length() - 1).strip();
        }
        return text;
    }

    private static Sql sql(String text) {
        return new UnparsedSql(text);
    }

    @Override
    protected String getElse(Database database) {
        return "";
    }

    @Override
    protected String getRecordCheck(
            InsertOrUpdateStatement statement, Database database, String whereClause) {
        return "";
    }
}

package dev.oriel.liquibase;

import java.util.Locale;
import liquibase.database.Database;
import liquibase.datatype.DataTypeFactory;
import liquibase.sql.Sql;
import liquibase.sql.UnparsedSql;
import liquibase.sqlgenerator.SqlGeneratorChain;
import liquibase.sqlgenerator.core.ModifyDataTypeGenerator;
import liquibase.statement.core.ModifyDataTypeStatement;

/// ALTER COLUMN TYPE, with a cast of the values as for PostgreSQL. Texts are not cast, since a cast would cut them
/// to the new length.
public final class OrielModifyDataType extends ModifyDataTypeGenerator {
    /// For the service loader.
    public OrielModifyDataType() {}

    @Override
    public int getPriority() {
        return PRIORITY_DATABASE;
    }

    @Override
    public boolean supports(ModifyDataTypeStatement statement, Database database) {
        return database instanceof OrielDatabase;
    }

    @Override
    @SuppressWarnings("rawtypes") // as Liquibase declares it
    public Sql[] generateSql(
            ModifyDataTypeStatement statement, Database database, SqlGeneratorChain chain) {
        String type =
                DataTypeFactory.getInstance()
                        .fromDescription(statement.getNewDataType(), database)
                        .toDatabaseDataType(database)
                        .toSql();
        String table =
                database.escapeTableName(
                        statement.getCatalogName(),
                        statement.getSchemaName(),
                        statement.getTableName());
        String column =
                database.escapeColumnName(
                        statement.getCatalogName(),
                        statement.getSchemaName(),
                        statement.getTableName(),
                        statement.getColumnName());
        String change = "ALTER TABLE " + table + " ALTER COLUMN " + column + " TYPE " + type;
        String cast = isText(type) ? "" : " USING CAST(" + column + " AS " + type + ")";
        return new Sql[] {new UnparsedSql(change + cast)};
    }

    private static boolean isText(String type) {
        String name = type.toLowerCase(Locale.ROOT);
        return name.contains("char") || name.contains("clob") || name.contains("text");
    }
}

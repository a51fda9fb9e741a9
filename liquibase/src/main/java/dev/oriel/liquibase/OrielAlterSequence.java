package dev.oriel.liquibase;

import liquibase.database.Database;
import liquibase.sql.Sql;
import liquibase.sql.UnparsedSql;
import liquibase.sqlgenerator.SqlGeneratorChain;
import liquibase.sqlgenerator.core.AlterSequenceGenerator;
import liquibase.statement.core.AlterSequenceStatement;

/// ALTER SEQUENCE with CYCLE, which Liquibase writes for some databases only.
public final class OrielAlterSequence extends AlterSequenceGenerator {
    /// For the service loader.
    public OrielAlterSequence() {}

    @Override
    public int getPriority() {
        return PRIORITY_DATABASE;
    }

    @Override
    public boolean supports(AlterSequenceStatement statement, Database database) {
        return database instanceof OrielDatabase;
    }

    @Override
    @SuppressWarnings("rawtypes") // as Liquibase declares it
    public Sql[] generateSql(
            AlterSequenceStatement statement, Database database, SqlGeneratorChain chain) {
        Sql[] plain = super.generateSql(statement, database, chain);
        Boolean cycle = statement.getCycle();
        return cycle == null
                ? plain
                : new Sql[] {
                    new UnparsedSql(
                            plain[0].toSql() + (cycle ? " CYCLE" : " NO CYCLE"),
                            getAffectedSequence(statement))
                };
    }
}

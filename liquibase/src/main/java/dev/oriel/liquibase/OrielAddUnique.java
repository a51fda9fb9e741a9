package dev.oriel.liquibase;

import liquibase.database.Database;
import liquibase.sql.Sql;
import liquibase.sql.UnparsedSql;
import liquibase.sqlgenerator.SqlGeneratorChain;
import liquibase.sqlgenerator.core.AddUniqueConstraintGenerator;
import liquibase.statement.core.AddUniqueConstraintStatement;

/// A unique constraint, which the commit may test.
public final class OrielAddUnique extends AddUniqueConstraintGenerator {
    /// For the service loader.
    public OrielAddUnique() {}

    @Override
    public int getPriority() {
        return PRIORITY_DATABASE;
    }

    @Override
    public boolean supports(AddUniqueConstraintStatement statement, Database database) {
        return database instanceof OrielDatabase;
    }

    @Override
    @SuppressWarnings({"rawtypes", "unchecked"}) // as Liquibase declares it
    public Sql[] generateSql(
            AddUniqueConstraintStatement statement, Database database, SqlGeneratorChain chain) {
        Sql[] usual = super.generateSql(statement, database, chain);
        if (!statement.isDeferrable() && !statement.isInitiallyDeferred()) {
            return usual;
        }
        String when = statement.isInitiallyDeferred() ? "DEFERRED" : "IMMEDIATE";
        return new Sql[] {
            new UnparsedSql(
                    usual[0].toSql() + " DEFERRABLE INITIALLY " + when,
                    getAffectedUniqueConstraint(statement))
        };
    }
}

package dev.oriel.liquibase;

import liquibase.database.Database;
import liquibase.snapshot.SnapshotGenerator;
import liquibase.snapshot.jvm.SequenceSnapshotGenerator;
import liquibase.statement.SqlStatement;
import liquibase.statement.core.RawParameterizedSqlStatement;
import liquibase.structure.DatabaseObject;
import liquibase.structure.core.Schema;

/// Reads the sequences, except for identity columns' sequences.
@SuppressWarnings("unchecked") // as Liquibase declares the superclass
public final class OrielSequences extends SequenceSnapshotGenerator {
    private static final String QUERY =
            "SELECT s.sequence_name AS SEQUENCE_NAME, s.start_value AS START_VALUE, s.minimum_value AS"
                    + " MIN_VALUE, s.maximum_value AS MAX_VALUE, s.increment AS INCREMENT_BY, CASE"
                    + " s.cycle_option WHEN 'YES' THEN 'Y' ELSE 'N' END AS WILL_CYCLE FROM"
                    + " information_schema.sequences s WHERE LOWER(s.sequence_schema) = LOWER(?) AND"
                    + " FORMAT('%I.%I', s.sequence_schema, s.sequence_name) NOT IN (SELECT"
                    + " PG_GET_SERIAL_SEQUENCE(FORMAT('%I.%I', c.table_schema, c.table_name),"
                    + " c.column_name) FROM information_schema.columns c WHERE c.is_identity = 'YES'"
                    + " AND c.table_schema = s.sequence_schema)";

    /// For the service loader.
    public OrielSequences() {}

    @Override
    public int getPriority(Class<? extends DatabaseObject> type, Database database) {
        return database instanceof OrielDatabase
                ? super.getPriority(type, database)
                : PRIORITY_NONE;
    }

    @Override
    @SuppressWarnings({"rawtypes", "unchecked"}) // an array of classes with parameters
    public Class<? extends SnapshotGenerator>[] replaces() {
        return new Class[] {SequenceSnapshotGenerator.class};
    }

    @Override
    protected SqlStatement getSelectSequenceStatement(Schema schema, Database database) {
        return new RawParameterizedSqlStatement(
                QUERY, schema.toCatalogAndSchema().customize(database).getSchemaName());
    }
}

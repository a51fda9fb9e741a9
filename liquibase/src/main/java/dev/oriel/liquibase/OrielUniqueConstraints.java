package dev.oriel.liquibase;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import liquibase.Scope;
import liquibase.database.Database;
import liquibase.exception.DatabaseException;
import liquibase.executor.Executor;
import liquibase.executor.ExecutorService;
import liquibase.snapshot.CachedRow;
import liquibase.snapshot.DatabaseSnapshot;
import liquibase.snapshot.SnapshotGenerator;
import liquibase.snapshot.jvm.UniqueConstraintSnapshotGenerator;
import liquibase.statement.core.RawParameterizedSqlStatement;
import liquibase.structure.DatabaseObject;
import liquibase.structure.core.Relation;
import liquibase.structure.core.Schema;
import liquibase.structure.core.Table;
import liquibase.structure.core.UniqueConstraint;
import org.jspecify.annotations.Nullable;

/// Reads the unique constraints, each with the index of the same name, from the information schema.
@SuppressWarnings("unchecked") // as Liquibase declares the superclass
public final class OrielUniqueConstraints extends UniqueConstraintSnapshotGenerator {
    private static final String QUERY =
            "SELECT t.constraint_schema, t.table_name, t.constraint_name, t.initially_deferred,"
                    + " k.column_name FROM information_schema.table_constraints t JOIN"
                    + " information_schema.key_column_usage k ON k.constraint_schema ="
                    + " t.constraint_schema AND k.table_name = t.table_name AND k.constraint_name ="
                    + " t.constraint_name WHERE t.constraint_type = 'UNIQUE' ORDER BY"
                    + " t.constraint_name, k.ordinal_position";
    private static final String CACHE = "oriel-unique-constraints";

    /// For the service loader.
    public OrielUniqueConstraints() {}

    @Override
    public int getPriority(Class<? extends DatabaseObject> type, Database database) {
        return database instanceof OrielDatabase
                ? super.getPriority(type, database)
                : PRIORITY_NONE;
    }

    @Override
    @SuppressWarnings({"rawtypes", "unchecked"}) // an array of classes with parameters
    public Class<? extends SnapshotGenerator>[] replaces() {
        return new Class[] {UniqueConstraintSnapshotGenerator.class};
    }

    @Override
    protected List<CachedRow> listConstraints(Table table, DatabaseSnapshot snapshot, Schema schema)
            throws DatabaseException {
        Set<Object> names = new LinkedHashSet<>();
        for (Map<String, ?> column : columns(snapshot)) {
            if (isOf(table, column)) {
                names.add(column.get("CONSTRAINT_NAME"));
            }
        }
        List<CachedRow> found = new ArrayList<>();
        for (Object name : names) {
            Map<String, Object> row = new HashMap<>();
            row.put("CONSTRAINT_NAME", name);
            row.put("INDEX_NAME", name);
            found.add(new CachedRow(row));
        }
        return found;
    }

    @Override
    protected @Nullable DatabaseObject snapshotObject(
            DatabaseObject example, DatabaseSnapshot snapshot) throws DatabaseException {
        DatabaseObject found = super.snapshotObject(example, snapshot);
        if (found instanceof UniqueConstraint constraint) {
            for (Map<String, ?> column :
                    listColumns(constraint, snapshot.getDatabase(), snapshot)) {
                boolean deferred = "YES".equals(column.get("INITIALLY_DEFERRED"));
                constraint.setDeferrable(deferred);
                constraint.setInitiallyDeferred(deferred);
            }
        }
        return found;
    }

    @Override
    protected List<Map<String, ?>> listColumns(
            UniqueConstraint example, Database database, DatabaseSnapshot snapshot)
            throws DatabaseException {
        List<Map<String, ?>> found = new ArrayList<>();
        for (Map<String, ?> column : columns(snapshot)) {
            if (example.getName().equalsIgnoreCase(String.valueOf(column.get("CONSTRAINT_NAME")))
                    && isOf(example.getRelation(), column)) {
                found.add(column);
            }
        }
        return found;
    }

    private static boolean isOf(Relation table, Map<String, ?> column) {
        Schema schema = table.getSchema();
        return table.getName().equals(column.get("TABLE_NAME"))
                && (schema == null
                        || String.valueOf(column.get("CONSTRAINT_SCHEMA"))
                                .equalsIgnoreCase(schema.getName()));
    }

    /// The columns of all constraints, read once for a snapshot.
    @SuppressWarnings("unchecked") // the list put there below
    private static List<Map<String, ?>> columns(DatabaseSnapshot snapshot)
            throws DatabaseException {
        Object known = snapshot.getScratchData(CACHE);
        if (known != null) {
            return (List<Map<String, ?>>) known;
        }
        Executor executor =
                Scope.getCurrentScope()
                        .getSingleton(ExecutorService.class)
                        .getExecutor("jdbc", snapshot.getDatabase());
        List<Map<String, ?>> columns =
                executor.queryForList(new RawParameterizedSqlStatement(QUERY));
        snapshot.setScratchData(CACHE, columns);
        return columns;
    }
}

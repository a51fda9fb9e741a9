package dev.oriel.flyway;

import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.flywaydb.core.internal.database.base.Table;
import org.flywaydb.core.internal.jdbc.JdbcTemplate;

/// A table. The history's is locked within the process, by the URL of its database: no other process has the
/// database open.
final class OrielTable extends Table<OrielDatabase, OrielSchema> {
    private static final Map<String, Semaphore> LOCKS = new ConcurrentHashMap<>();

    OrielTable(JdbcTemplate template, OrielDatabase database, OrielSchema schema, String name) {
        super(template, database, schema, name);
    }

    @Override
    protected void doDrop() throws SQLException {
        jdbcTemplate.execute("DROP TABLE " + this + " CASCADE");
    }

    @Override
    protected boolean doExists() throws SQLException {
        return exists(null, schema, name);
    }

    private Semaphore mutex() throws SQLException {
        String url = jdbcTemplate.getConnection().getMetaData().getURL();
        return LOCKS.computeIfAbsent(url, any -> new Semaphore(1, true));
    }

    @Override
    protected void doLock() throws SQLException {
        mutex().acquireUninterruptibly();
    }

    @Override
    protected void doUnlock() throws SQLException {
        mutex().release();
    }
}

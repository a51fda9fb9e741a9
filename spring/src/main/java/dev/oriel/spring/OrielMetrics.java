package dev.oriel.spring;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import javax.sql.DataSource;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Meters of the database, read from `sys.statements` each time they are queried.
///
/// | meter | |
/// |---|---|
/// | `oriel.statements` | executions of statements |
/// | `oriel.statements.errors` | executions that failed |
/// | `oriel.statements.rows` | rows that they returned or changed |
/// | `oriel.statements.pages` | pages that they read |
/// | `oriel.log.bytes` | bytes of log records of their commits |
/// | `oriel.lock.waits` | waits for a lock |
final class OrielMetrics implements MeterBinder {
    private final DataSource source;

    OrielMetrics(DataSource source) {
        this.source = source;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        if (!isOriel(source)) {
            return;
        }
        counter(registry, "oriel.statements", "calls");
        counter(registry, "oriel.statements.errors", "errors");
        counter(registry, "oriel.statements.rows", "rows");
        counter(registry, "oriel.statements.pages", "pages");
        counter(registry, "oriel.log.bytes", "log_bytes");
        counter(registry, "oriel.lock.waits", "lock_waits");
    }

    private static boolean isOriel(DataSource source) {
        ConnectionCallback<String> product =
                connection -> connection.getMetaData().getDatabaseProductName();
        return "Oriel".equals(new JdbcTemplate(source).execute(product));
    }

    private void counter(MeterRegistry registry, String name, String column) {
        FunctionCounter.builder(name, this, metrics -> metrics.sum(column)).register(registry);
    }

    private double sum(String column) {
        return JdbcClient.create(source)
                .sql("SELECT CAST(COALESCE(SUM(" + column + "), 0) AS DOUBLE) FROM sys.statements")
                .query(Double.class)
                .single();
    }
}

package dev.oriel.spring;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

/// Meters of the database. All are read by one statement for a scrape, which they do not count.
///
/// | meter | |
/// |---|---|
/// | `oriel.statements` | executions of statements |
/// | `oriel.statements.errors` | executions that failed |
/// | `oriel.statements.rows` | rows that they returned or changed |
/// | `oriel.statements.pages` | pages that they read |
/// | `oriel.lock.waits` | waits for a lock |
/// | `oriel.commits` | committed changes |
/// | `oriel.checkpoints` | checkpoints |
/// | `oriel.log.bytes` | bytes of log records of all commits |
/// | `oriel.log.syncs` | syncs of the log |
/// | `oriel.data.bytes` | size of the data file (a gauge) |
final class OrielMetrics implements MeterBinder {
    /// Time within which the meters of one scrape are read.
    private static final long SCRAPE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /// Name by which the statement knows itself in `sys.statements`.
    private static final String OWN = "oriel_metrics";

    private static final String QUERY =
            "SELECT SUM(calls) AS calls, SUM(errors) AS errors, SUM(rows) AS rows, SUM(pages) AS"
                    + " pages, SUM(lock_waits) AS lock_waits, (SELECT value FROM sys.store WHERE name ="
                    + " 'txid') AS commits, (SELECT value FROM sys.store WHERE name = 'checkpoints') AS"
                    + " checkpoints, (SELECT value FROM sys.store WHERE name = 'log_bytes_written') AS"
                    + " log_bytes, (SELECT value FROM sys.store WHERE name = 'syncs') AS syncs, (SELECT"
                    + " value FROM sys.store WHERE name = 'data_bytes') AS data_bytes FROM"
                    + " sys.statements AS oriel_metrics WHERE statement NOT LIKE '%"
                    + OWN
                    + "%'";

    private final DataSource source;
    private Map<String, @Nullable Object> sample = new HashMap<>();
    private @Nullable Long sampledNanos;

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
        counter(registry, "oriel.lock.waits", "lock_waits");
        counter(registry, "oriel.commits", "commits");
        counter(registry, "oriel.checkpoints", "checkpoints");
        counter(registry, "oriel.log.bytes", "log_bytes");
        counter(registry, "oriel.log.syncs", "syncs");
        Clock clock = registry.config().clock();
        Gauge.builder("oriel.data.bytes", this, metrics -> metrics.value("data_bytes", clock))
                .baseUnit("bytes")
                .register(registry);
    }

    private static boolean isOriel(DataSource source) {
        ConnectionCallback<String> product =
                connection -> connection.getMetaData().getDatabaseProductName();
        return "Oriel".equals(new JdbcTemplate(source).execute(product));
    }

    private void counter(MeterRegistry registry, String name, String column) {
        Clock clock = registry.config().clock();
        FunctionCounter.builder(name, this, metrics -> metrics.value(column, clock))
                .register(registry);
    }

    private synchronized double value(String column, Clock clock) {
        long now = clock.monotonicTime();
        if (sampledNanos == null || now - sampledNanos >= SCRAPE_NANOS) {
            sample = new JdbcTemplate(source).queryForMap(QUERY);
            sampledNanos = clock.monotonicTime(); // the query may take longer than a scrape
        }
        return sample.get(column) instanceof Number number ? number.doubleValue() : 0;
    }
}

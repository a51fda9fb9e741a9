package dev.oriel.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.OrielDataSource;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DelegatingDataSource;

class OrielMetricsTest {
    private final MockClock clock = new MockClock();
    private final SimpleMeterRegistry registry =
            new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);

    OrielMetricsTest() {}

    private void scrape() {
        clock.add(Duration.ofSeconds(10));
        registry.getMeters().forEach(meter -> meter.measure().forEach(Measurement::getValue));
    }

    private double counted(String name) {
        return registry.get(name).functionCounter().count();
    }

    @Test
    void slowScrapeIsOneStatement() throws SQLException {
        OrielDataSource source = new OrielDataSource("jdbc:oriel:mem:slow-metrics");
        DelegatingDataSource slow =
                new DelegatingDataSource(source) {
                    @Override
                    public Connection getConnection() throws SQLException {
                        clock.add(Duration.ofSeconds(1));
                        return super.getConnection();
                    }
                };
        try (Connection open = source.getConnection()) {
            new OrielMetrics(slow).bindTo(registry);
            scrape();
            scrape();
            Integer scrapes =
                    JdbcClient.create(source)
                            .sql(
                                    "SELECT CAST(SUM(calls) AS INT) FROM sys.statements WHERE statement LIKE"
                                            + " '%AS oriel_metrics %' AND statement NOT LIKE 'SELECT CAST%'")
                            .query(Integer.class)
                            .single();
            assertEquals(2, scrapes);
            assertTrue(open.isValid(1));
        }
    }

    @Test
    void scrapeIsOneStatementThatIsNotCounted() throws SQLException {
        OrielDataSource source = new OrielDataSource("jdbc:oriel:mem:metrics");
        try (Connection open = source.getConnection()) {
            JdbcClient client = JdbcClient.create(source);
            new OrielMetrics(source).bindTo(registry);
            client.sql("CREATE TABLE t (a INT)").update();
            scrape();
            double statements = counted("oriel.statements");
            double commits = counted("oriel.commits");
            for (int i = 0; i < 5; i++) {
                scrape();
            }
            assertEquals(statements, counted("oriel.statements"));
            assertEquals(commits, counted("oriel.commits"));
            Integer scrapes =
                    client.sql(
                                    "SELECT CAST(SUM(calls) AS INT) FROM sys.statements WHERE statement LIKE"
                                            + " '%AS oriel_metrics %' AND statement NOT LIKE 'SELECT CAST%'")
                            .query(Integer.class)
                            .single();
            assertEquals(6, scrapes);
            client.sql("INSERT INTO t VALUES (1)").update();
            client.sql("INSERT INTO t VALUES (2)").update();
            client.sql("CHECKPOINT").update();
            scrape();
            assertEquals(commits + 2, counted("oriel.commits"));
            assertTrue(counted("oriel.statements") >= statements + 2);
            assertTrue(open.isValid(1));
        }
    }
}

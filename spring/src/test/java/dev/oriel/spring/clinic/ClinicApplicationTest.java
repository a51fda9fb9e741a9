package dev.oriel.spring.clinic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.simple.JdbcClient;

/// The whole application without one property that names the database, on scripts for PostgreSQL.
@SpringBootTest(
        properties = {
            "spring.sql.init.schema-locations=classpath:clinic/schema-postgresql.sql",
            "spring.jpa.hibernate.ddl-auto=validate"
        })
class ClinicApplicationTest {
    @Autowired private Owners owners;
    @Autowired private JdbcClient client;
    @Autowired private MeterRegistry meters;

    @Autowired private HealthIndicator dbHealthContributor;

    ClinicApplicationTest() {}

    @Test
    void scriptsForPostgreSqlHaveRun() {
        assertEquals(3, owners.count());
    }

    @Test
    void databaseIsHealthyAndCounted() {
        Health health = dbHealthContributor.health();
        assertNotNull(health);
        assertEquals(Status.UP, health.getStatus());
        double before = statements();
        assertEquals(3, owners.count());
        // The meters of one scrape are read at once, and kept for a moment.
        assertTimeoutPreemptively(
                Duration.ofSeconds(60),
                () -> {
                    while (statements() <= before) {
                        Thread.onSpinWait();
                    }
                });
    }

    private double statements() {
        return meters.get("oriel.statements").functionCounter().count();
    }

    @Test
    void errorsAreTranslatedByTheirSqlState() {
        client.sql("CREATE TABLE one (a INT PRIMARY KEY, b INT NOT NULL)").update();
        client.sql("INSERT INTO one VALUES (1, 1)").update();
        assertThrows(
                DuplicateKeyException.class,
                () -> client.sql("INSERT INTO one VALUES (1, 1)").update());
        assertThrows(
                DataIntegrityViolationException.class,
                () -> client.sql("INSERT INTO one VALUES (2, NULL)").update());
        assertThrows(
                BadSqlGrammarException.class,
                () -> client.sql("SELECT x FROM one").query().listOfRows());
    }
}

package dev.oriel.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.modulith.events.CompletedEventPublications;
import org.springframework.modulith.events.IncompleteEventPublications;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionTemplate;

/// Events of Spring Modulith, kept until their listeners have run.
@SpringBootTest(
        properties = {
            "spring.datasource.url=jdbc:oriel:mem:modulith",
            "spring.sql.init.mode=never",
            "spring.jpa.hibernate.ddl-auto=none",
            "spring.batch.job.enabled=false",
            "spring.modulith.events.jdbc.schema-initialization.enabled=true"
        },
        classes = ModulithTest.Listens.class)
class ModulithTest {
    @Autowired private ApplicationEventPublisher publisher;
    @Autowired private TransactionTemplate transactions;
    @Autowired private IncompleteEventPublications incomplete;
    @Autowired private CompletedEventPublications completed;
    @Autowired private JdbcClient client;

    ModulithTest() {}

    /// An event.
    record Placed(String name) {}

    /// A listener that fails at its first event.
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Listens {
        private static final AtomicInteger HEARD = new AtomicInteger();

        Listens() {}

        @TransactionalEventListener
        void on(Placed placed) {
            if (HEARD.incrementAndGet() == 1) {
                throw new IllegalStateException("once");
            }
        }
    }

    private int kept(String condition) {
        return client.sql("SELECT COUNT(*) FROM event_publication WHERE " + condition)
                .query(Integer.class)
                .single();
    }

    @Test
    void eventsAreKeptUntilTheyAreHeard() {
        transactions.executeWithoutResult(_ -> publisher.publishEvent(new Placed("order")));
        assertEquals(1, kept("completion_date IS NULL"));
        incomplete.resubmitIncompletePublicationsOlderThan(Duration.ZERO);
        assertEquals(2, Listens.HEARD.get());
        assertEquals(1, kept("completion_date IS NOT NULL"));
        completed.deletePublicationsOlderThan(Duration.ZERO);
        assertEquals(0, kept("TRUE"));
    }
}

package dev.oriel.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.session.FindByIndexNameSessionRepository;
import org.springframework.session.Session;
import org.springframework.session.SessionRepository;
import org.springframework.session.jdbc.JdbcIndexedSessionRepository;
import org.springframework.session.jdbc.PostgreSqlJdbcIndexedSessionRepositoryCustomizer;
import org.springframework.transaction.support.TransactionTemplate;

/// Spring Session keeps its sessions in Oriel.
class SessionsTest {
    private static final int REQUESTS = 40;

    private EmbeddedDatabase database;
    private JdbcTemplate jdbc;
    private JdbcIndexedSessionRepository stored;
    private SessionRepository<Session> sessions;

    SessionsTest() {}

    @BeforeEach
    void open() {
        database =
                new EmbeddedDatabaseBuilder()
                        .generateUniqueName(true)
                        .setDatabaseConfigurer(new OrielEmbeddedDatabase())
                        .addScript("org/springframework/session/jdbc/schema-h2.sql")
                        .build();
        jdbc = new JdbcTemplate(database);
        stored =
                new JdbcIndexedSessionRepository(
                        jdbc, new TransactionTemplate(new DataSourceTransactionManager(database)));
        sessions = anyOf(stored);
    }

    /// The type of its sessions is not public.
    @SuppressWarnings("unchecked")
    private static SessionRepository<Session> anyOf(SessionRepository<?> repository) {
        return (SessionRepository<Session>) repository;
    }

    @AfterEach
    void close() {
        database.shutdown();
    }

    private int count(String table) {
        return Objects.requireNonNull(
                jdbc.queryForObject("SELECT COUNT(*) FROM " + table, Integer.class));
    }

    private Session found(String id) {
        Session session = sessions.findById(id);
        assertNotNull(session);
        return session;
    }

    @Test
    void sessionIsFoundByItsUserAndNewId() {
        Session session = sessions.createSession();
        session.setAttribute(FindByIndexNameSessionRepository.PRINCIPAL_NAME_INDEX_NAME, "Ann");
        session.setAttribute("seen", 1);
        sessions.save(session);
        assertEquals(1, stored.findByPrincipalName("Ann").size());
        String before = session.getId();
        String after = session.changeSessionId();
        session.removeAttribute("seen");
        session.setAttribute("picture", new byte[200_000]);
        sessions.save(session);
        assertNull(sessions.findById(before));
        assertNull(found(after).<Object>getAttribute("seen"));
        assertEquals(200_000, found(after).<byte[]>getRequiredAttribute("picture").length);
    }

    @Test
    void expiredSessionsAreCleanedUp() {
        Session kept = sessions.createSession();
        sessions.save(kept);
        Session expired = sessions.createSession();
        expired.setAttribute("seen", 1);
        sessions.save(expired);
        jdbc.update(
                "UPDATE spring_session SET expiry_time = 0 WHERE session_id = ?", expired.getId());
        stored.cleanUpExpiredSessions();
        assertEquals(1, count("spring_session"));
        assertEquals(0, count("spring_session_attributes"));
        assertNotNull(sessions.findById(kept.getId()));
    }

    /// The statement for PostgreSQL lets two requests set the same new attribute.
    @Test
    void concurrentRequestsOfOneSessionAreSaved() throws Exception {
        new PostgreSqlJdbcIndexedSessionRepositoryCustomizer().customize(stored);
        Session session = sessions.createSession();
        sessions.save(session);
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<?>> requests = new ArrayList<>();
            for (int i = 0; i < REQUESTS; i++) {
                String name = "request " + i;
                requests.add(
                        threads.submit(() -> {
                            Session own = found(session.getId());
                            own.setAttribute("last", name);
                            own.setAttribute(name, name);
                            sessions.save(own);
                        }));
            }
            for (Future<?> request : requests) {
                request.get();
            }
        }
        assertEquals(REQUESTS + 1, found(session.getId()).getAttributeNames().size());
    }
}

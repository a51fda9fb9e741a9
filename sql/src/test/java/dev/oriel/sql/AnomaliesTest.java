package dev.oriel.sql;

import dev.oriel.store.Isolation;
import dev.oriel.testkit.GoldenScript;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/// Anomalies of concurrent transactions, with a script for each isolation level. The scripts run the same
/// statements; the levels differ in their answers.
@Timeout(60)
class AnomaliesTest {
    private static Stream<DynamicTest> tests(String script, Isolation isolation)
            throws IOException {
        SeveralSessions sessions = new SeveralSessions(isolation);
        return GoldenScript.tests(script, sessions::answer).onClose(sessions::close);
    }

    @TestFactory
    Stream<DynamicTest> readCommitted() throws IOException {
        return tests("anomalies-read-committed", Isolation.READ_COMMITTED);
    }

    @TestFactory
    Stream<DynamicTest> snapshot() throws IOException {
        return tests("anomalies-snapshot", Isolation.SNAPSHOT);
    }

    @TestFactory
    Stream<DynamicTest> serializable() throws IOException {
        return tests("anomalies-serializable", Isolation.SERIALIZABLE);
    }
}

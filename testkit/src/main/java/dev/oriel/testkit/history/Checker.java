package dev.oriel.testkit.history;

import java.util.List;

/// Looks for what an isolation level forbids in what clients of a database saw, after the manner of
/// Elle (Kingsbury and Alvaro, "Elle: Inferring Isolation Anomalies from Experimental Observations",
/// 2020): from values that tell who wrote them follows the order of versions; from that, who depends
/// on whom; and a circle of dependencies is what no order of the transactions explains.
///
/// ```java
/// Recorder client = new Recorder();             // one for each thread
/// client.begin(System.nanoTime());
/// client.readList(key, elements, length);       // as the transaction goes on
/// client.append(key, element);                  // elements are unique
/// client.end(Outcome.COMMITTED, System.nanoTime());
/// ...
/// assertEquals(List.of(), Checker.check(History.of(clients), Level.SNAPSHOT));
/// ```
///
/// Whatever it reports did happen: it never guesses ([Versions] says what it infers). It does not find
/// everything: an order that nobody saw it does not know. Lists show more than registers. Only what
/// committed transactions read is looked at.
///
/// Time and memory grow with the number of operations and of elements read. Of registers written
/// without a read before, and appends that nobody saw, each is compared with each read of the version
/// before: let there be few.
public final class Checker {
    private Checker() {}

    /// What `level` forbids, in any order of the transactions that explains the history.
    public static List<Anomaly> check(History history, Level level) {
        return check(history, level, false);
    }

    /// What `level` forbids where an order counts only if whoever began after another's end comes after
    /// it: stale reads are errors too.
    public static List<Anomaly> checkStrict(History history, Level level) {
        return check(history, level, true);
    }

    private static List<Anomaly> check(History history, Level level, boolean strict) {
        Findings findings = new Findings(level);
        Versions versions = new Versions(history);
        OwnView own = new OwnView(history, versions, findings);
        Graph graph = new Dependencies(history, versions, own, findings).graph(strict);
        new Circles(history, graph, findings).search(level, strict);
        return findings.list();
    }
}

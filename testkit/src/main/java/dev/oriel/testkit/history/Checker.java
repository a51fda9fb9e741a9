package dev.oriel.testkit.history;

import java.util.List;

/// Looks for phenomena that an isolation level forbids in the observations of a database's clients, after the manner of
/// Elle (Kingsbury and Alvaro, "Elle: Inferring Isolation Anomalies from Experimental Observations", 2020). Unique
/// values identify their writers. This gives the order of versions, and so the dependencies between transactions. A
/// cycle of dependencies is an anomaly: no order of the transactions explains it.
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
/// Every reported anomaly did happen: it never guesses ([Versions] describes its inferences). It does not find
/// every anomaly: it does not know orders that were never observed. Lists show more than registers. Only reads of
/// committed transactions are checked.
///
/// Time and memory grow with the number of operations and of elements read. Each blind write of a register, and
/// each append that was never read, is compared with each read of the version before: let there be few.
public final class Checker {
    private Checker() {}

    /// The anomalies forbidden by `level`, in any order of the transactions that explains the history.
    public static List<Anomaly> check(History history, Level level) {
        return check(history, level, false);
    }

    /// The anomalies that `level` forbids, in an order that also respects real time: a transaction that begins
    /// after another's end comes after it. So stale reads are errors too.
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

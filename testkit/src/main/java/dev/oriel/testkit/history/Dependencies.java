package dev.oriel.testkit.history;

import dev.oriel.testkit.history.Anomaly.Kind;
import java.util.Arrays;

/// Makes the graph of dependencies between committed transactions (Adya's direct serialization graph), and on the
/// way finds errors in single reads. The nodes are the transactions, followed by the nodes of the time line.
///
/// For one key, edges between adjacent versions are enough: others follow from them. Only a version whose
/// successors have no known order (blind writes of registers, appends that were never read) has an edge to each of
/// them.
final class Dependencies {
    private static final int NONE = -1;

    private final History history;
    private final Versions versions;
    private final OwnView own;
    private final Findings findings;
    private Graph graph = new Graph(0);

    /// First known successor of each version, and next sibling of each write.
    private final int[] firstChildren;

    private final int[] nextChildren;

    Dependencies(History history, Versions versions, OwnView own, Findings findings) {
        this.history = history;
        this.versions = versions;
        this.own = own;
        this.findings = findings;
        firstChildren = new int[versions.count()];
        Arrays.fill(firstChildren, NONE);
        nextChildren = new int[history.operationCount()];
        Arrays.fill(nextChildren, NONE);
    }

    Graph graph(boolean realTime) {
        TimeLine time = realTime ? new TimeLine(history, versions) : null;
        graph = new Graph(history.transactionCount() + (time == null ? 0 : time.nodes()));
        findChildren();
        for (int op = 0; op < history.operationCount(); op++) {
            if (!history.isWrite(op) && own.external(op) >= 0) {
                if (history.isList(op)) {
                    readList(op);
                } else {
                    read(op);
                }
            }
        }
        for (int key = 0; key < history.keyCount(); key++) {
            orderOfList(key);
        }
        if (time != null) {
            time.addTo(graph);
        }
        return graph.sealed();
    }

    /// A register's write follows the version that its transaction read; an append that was never read follows the last
    /// one that was. Both are children of that version in the graph. All writes that replace a version read before are
    /// checked for lost updates.
    private void findChildren() {
        int[] replacing = new int[versions.count()];
        Arrays.fill(replacing, NONE);
        for (int write = 0; write < history.operationCount(); write++) {
            if (!own.isLast(write) || !versions.isCommittedWrite(write)) {
                continue;
            }
            int read = own.base(write);
            int key = history.key(write);
            int version = read == NONE ? NONE : versionRead(read);
            if (version != NONE) {
                lostUpdate(replacing[version], write);
                replacing[version] = write;
            }
            if (!history.isList(write)) {
                addChild(version == NONE ? versions.nothing(key) : version, write);
            } else if (versions.position(write) < 0) {
                addChild(lastSeen(key), write);
            }
        }
    }

    private void addChild(int version, int write) {
        nextChildren[write] = firstChildren[version];
        firstChildren[version] = write;
        if (!versions.isNothing(version) && versions.isCommittedWrite(version)) {
            edge(history.transaction(version), write, Graph.WRITE_WRITE, write);
        }
    }

    private void lostUpdate(int first, int second) {
        if (first != NONE && findings.wants(Kind.LOST_UPDATE)) {
            int a = history.transaction(first);
            int b = history.transaction(second);
            findings.add(
                    Kind.LOST_UPDATE,
                    "T%d: %s, and then %s%nT%d: %s, and then %s"
                            .formatted(
                                    a,
                                    history.text(own.base(first)),
                                    history.text(first),
                                    b,
                                    history.text(own.base(second)),
                                    history.text(second)),
                    a,
                    b);
        }
    }

    /// The version that a read found, or -1 if no transaction wrote it.
    private int versionRead(int read) {
        if (!history.isList(read)) {
            return versions.writer(read);
        }
        int length = own.external(read);
        int key = history.key(read);
        return length == 0 ? versions.nothing(key) : versions.writerAt(key, length - 1);
    }

    /// The last version of a list that was read and was written by a committed transaction.
    private int lastSeen(int key) {
        int write = committedBefore(key, versions.knownLength(key));
        return write == NONE ? versions.nothing(key) : write;
    }

    private int committedBefore(int key, int position) {
        for (int i = position - 1; i >= 0; i--) {
            if (versions.isCommittedWrite(versions.writerAt(key, i))) {
                return versions.writerAt(key, i);
            }
        }
        return NONE;
    }

    private void read(int read) {
        int version = versions.writer(read);
        if (version == NONE) {
            report(Kind.UNWRITTEN_READ, read, NONE);
            return;
        }
        if (!versions.isNothing(version)) {
            if (!versions.isCommittedWrite(version)) {
                report(Kind.ABORTED_READ, read, version);
                return;
            }
            if (!own.isLast(version)) {
                report(Kind.INTERMEDIATE_READ, read, version);
            }
            edge(history.transaction(version), read, Graph.WRITE_READ, read);
        }
        replacedBy(read, version);
    }

    private void replacedBy(int read, int version) {
        for (int next = firstChildren[version]; next != NONE; next = nextChildren[next]) {
            edge(history.transaction(read), next, Graph.READ_WRITE, next);
        }
    }

    private void readList(int read) {
        int key = history.key(read);
        int length = own.external(read);
        int before = committedBefore(key, length);
        if (before != NONE) {
            edge(history.transaction(before), read, Graph.WRITE_READ, read);
        }
        if (length > 0) {
            int last = versions.writerAt(key, length - 1);
            if (versions.isCommittedWrite(last) && !own.isLast(last)) {
                report(Kind.INTERMEDIATE_READ, read, last);
            }
        }
        for (int i = length; i < versions.knownLength(key); i++) {
            int next = versions.writerAt(key, i);
            if (versions.isCommittedWrite(next)) {
                edge(history.transaction(read), next, Graph.READ_WRITE, next);
                return;
            }
        }
        replacedBy(read, lastSeen(key));
    }

    private void orderOfList(int key) {
        int longest = versions.longestRead(key);
        int before = NONE;
        for (int i = 0; i < versions.knownLength(key); i++) {
            int write = versions.writerAt(key, i);
            if (write == NONE) {
                report(Kind.UNWRITTEN_READ, longest, NONE);
            } else if (versions.position(write) != i) {
                report(Kind.DUPLICATE_ELEMENT, longest, NONE);
            } else if (!versions.isCommittedWrite(write)) {
                report(Kind.ABORTED_READ, longest, write);
            } else {
                if (before != NONE) {
                    edge(history.transaction(before), write, Graph.WRITE_WRITE, write);
                }
                before = write;
            }
        }
    }

    /// An edge to the transaction of `targetOp`, unless that is the source itself.
    private void edge(int source, int targetOp, int type, int op) {
        int target = history.transaction(targetOp);
        if (source != target) {
            graph.add(source, target, type, op);
        }
    }

    private void report(Kind kind, int read, int write) {
        if (!findings.wants(kind)) {
            return;
        }
        int reader = history.transaction(read);
        String text = "T%d: %s".formatted(reader, history.text(read));
        if (write == NONE) {
            findings.add(kind, text, reader);
        } else {
            int writer = history.transaction(write);
            text += "%nT%d: %s".formatted(writer, history.text(write));
            findings.add(kind, text, writer, reader);
        }
    }
}

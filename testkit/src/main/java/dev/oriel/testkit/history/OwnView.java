package dev.oriel.testkit.history;

import dev.oriel.testkit.history.Anomaly.Kind;
import java.util.Arrays;

/// Checks each committed transaction by itself: it must read its own writes, and repeat its reads of other keys.
/// Also selects the reads that show other transactions' writes. Its results for the dependencies:
///
/// - [#external(int)]: the part of a read that shows others' writes,
/// - [#isLast(int)]: whether a write is the transaction's last to its key,
/// - [#base(int)]: with the last write, the read of the same key before the first.
final class OwnView {
    /// Value for a read without new information.
    private static final int NONE = -1;

    private final History history;
    private final Versions versions;
    private final Findings findings;

    private final int[] external;
    private final int[] bases;
    private final boolean[] last;

    // State of the present transaction, by key: valid if the mark is its number.
    private final int[] marks;
    private final int[] reads;
    private final int[] lastWrites;
    private final int[] writeCounts;

    /// Previous append of the same transaction and list, for each append.
    private final int[] before;

    OwnView(History history, Versions versions, Findings findings) {
        this.history = history;
        this.versions = versions;
        this.findings = findings;
        external = filled(history.operationCount(), NONE);
        bases = filled(history.operationCount(), NONE);
        before = filled(history.operationCount(), NONE);
        last = new boolean[history.operationCount()];
        marks = filled(history.keyCount(), -1);
        reads = new int[history.keyCount()];
        lastWrites = new int[history.keyCount()];
        writeCounts = new int[history.keyCount()];
        for (int t = 0; t < history.transactionCount(); t++) {
            visit(t);
        }
    }

    private static int[] filled(int length, int value) {
        int[] array = new int[length];
        Arrays.fill(array, value);
        return array;
    }

    /// Number of the first elements of a list's read that are others'; 0 for a register's read. -1 for other
    /// operations and for repeated reads.
    int external(int read) {
        return external[read];
    }

    /// Whether `write` is its transaction's last write of its key.
    boolean isLast(int write) {
        return last[write];
    }

    /// The read of the key that came before the transaction's writes, or -1.
    int base(int lastWrite) {
        return bases[lastWrite];
    }

    private void visit(int transaction) {
        boolean committed = versions.isCommitted(transaction);
        for (int op = history.first(transaction); op < history.end(transaction); op++) {
            int key = history.key(op);
            if (marks[key] != transaction) {
                marks[key] = transaction;
                reads[key] = NONE;
                lastWrites[key] = NONE;
                writeCounts[key] = 0;
            }
            if (history.isWrite(op)) {
                write(op, key);
            } else if (committed && history.isList(op)) {
                readList(op, key);
            } else if (committed) {
                read(op, key);
            }
        }
        for (int op = history.first(transaction); op < history.end(transaction); op++) {
            last[op] = history.isWrite(op) && lastWrites[history.key(op)] == op;
        }
    }

    private void write(int op, int key) {
        int previous = lastWrites[key];
        before[op] = previous;
        bases[op] = previous == NONE ? reads[key] : bases[previous];
        lastWrites[key] = op;
        writeCounts[key]++;
    }

    private void read(int op, int key) {
        int own = lastWrites[key];
        int previous = reads[key];
        int writer = versions.writer(op);
        if (own != NONE) {
            if (history.value(own) != history.value(op)) {
                report(Kind.OWN_WRITE_NOT_SEEN, own, op);
            }
        } else if (writer >= 0
                && !versions.isNothing(writer)
                && history.transaction(writer) == history.transaction(op)) {
            report(Kind.OWN_WRITE_NOT_SEEN, op, writer);
        } else if (previous == NONE || history.value(previous) != history.value(op)) {
            if (previous != NONE) {
                report(Kind.NON_REPEATABLE_READ, previous, op);
            }
            external[op] = 0;
            reads[key] = op;
        }
    }

    private void readList(int op, int key) {
        int longest = versions.longestRead(key);
        if (history.commonLength(op, longest) < history.length(op)) {
            if (findings.wants(Kind.INCOMPATIBLE_READS)) {
                int t = history.transaction(op);
                int other = history.transaction(longest);
                findings.add(
                        Kind.INCOMPATIBLE_READS,
                        "T%d: %s%nT%d: %s"
                                .formatted(t, history.text(op), other, history.text(longest)),
                        t,
                        other);
            }
            return;
        }
        int length = history.length(op) - writeCounts[key];
        if (!endsWithOwn(op, key)) {
            report(Kind.OWN_WRITE_NOT_SEEN, lastWrites[key], op);
            return;
        }
        if (length > 0 && isOwn(op, versions.writerAt(key, length - 1))) {
            report(Kind.OWN_WRITE_NOT_SEEN, op, versions.writerAt(key, length - 1));
            return;
        }
        int previous = reads[key];
        if (previous != NONE && external[previous] == length) {
            return;
        }
        if (previous != NONE) {
            report(Kind.NON_REPEATABLE_READ, previous, op);
        }
        external[op] = length;
        if (lastWrites[key] == NONE) {
            reads[key] = op;
        }
    }

    /// Whether the last elements of a list are the transaction's appends so far.
    private boolean endsWithOwn(int read, int key) {
        int at = history.length(read) - 1;
        for (int own = lastWrites[key]; own != NONE; own = before[own]) {
            if (at < 0 || history.element(read, at) != history.value(own)) {
                return false;
            }
            at--;
        }
        return true;
    }

    private boolean isOwn(int read, int write) {
        return write >= 0 && history.transaction(write) == history.transaction(read);
    }

    private void report(Kind kind, int first, int second) {
        if (findings.wants(kind)) {
            int t = history.transaction(second);
            findings.add(
                    kind,
                    "T%d: %s, and then %s".formatted(t, history.text(first), history.text(second)),
                    t);
        }
    }
}

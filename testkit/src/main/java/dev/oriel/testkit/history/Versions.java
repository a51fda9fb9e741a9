package dev.oriel.testkit.history;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;

/// The versions of each key, as far as committed transactions read them.
///
/// **Lists** tell their history themselves: every read is a prefix of the longest one, and the element at position
/// i is version i + 1. An append that is in no read comes after all that are.
///
/// **Registers** do not. The version that a transaction read before it wrote is taken for the one before its own.
/// If transactions read each register before they write it, that gives the whole order. A blind write is only
/// known to come after NOTHING.
///
/// A version is named by the write that made it; the version of a key before its first write by [#nothing(int)].
final class Versions {
    private final History history;
    private final WriteIndex writes;
    private final BitSet committed = new BitSet();

    /// Longest read of each list, or -1.
    private final int[] longest;

    /// Start of each list's part of `order`: the appends by position, -1 if no transaction wrote the element.
    private final int[] orderStarts;

    private int[] order = new int[0];

    /// Position in its list of each append, or -1.
    private final int[] positions;

    Versions(History history) {
        this.history = history;
        writes = new WriteIndex(history);
        longest = new int[history.keyCount()];
        Arrays.fill(longest, -1);
        orderStarts = new int[history.keyCount() + 1];
        positions = new int[history.operationCount()];
        Arrays.fill(positions, -1);
        findCommitted();
        orderLists();
    }

    /// Finds the committed transactions. One of unknown outcome counts as committed if a committed one read its
    /// writes, directly or through others of unknown outcome.
    private void findCommitted() {
        ArrayDeque<Integer> pending = new ArrayDeque<>();
        for (int t = 0; t < history.transactionCount(); t++) {
            if (history.outcome(t) == Outcome.COMMITTED) {
                committed.set(t);
                findSeenBy(t, pending);
            }
        }
        for (Integer t = pending.poll(); t != null; t = pending.poll()) {
            findSeenBy(t, pending);
        }
    }

    private void findSeenBy(int transaction, ArrayDeque<Integer> pending) {
        for (int op = history.first(transaction); op < history.end(transaction); op++) {
            if (history.isWrite(op)) {
                continue;
            }
            int key = history.key(op);
            if (!history.isList(op)) {
                seen(writes.find(key, history.value(op)), pending);
                continue;
            }
            int before = longest[key] < 0 ? 0 : history.length(longest[key]);
            if (longest[key] < 0 || history.length(op) > before) {
                longest[key] = op;
                for (int i = before; i < history.length(op); i++) {
                    seen(writes.find(key, history.element(op, i)), pending);
                }
            }
        }
    }

    private void seen(int write, ArrayDeque<Integer> pending) {
        if (write >= 0) {
            int writer = history.transaction(write);
            if (history.outcome(writer) == Outcome.UNKNOWN && !committed.get(writer)) {
                committed.set(writer);
                pending.add(writer);
            }
        }
    }

    private void orderLists() {
        int total = 0;
        for (int key = 0; key < longest.length; key++) {
            orderStarts[key] = total;
            total += longest[key] < 0 ? 0 : history.length(longest[key]);
        }
        orderStarts[longest.length] = total;
        order = new int[total];
        for (int key = 0; key < longest.length; key++) {
            for (int i = 0; i < knownLength(key); i++) {
                int write = writes.find(key, history.element(longest[key], i));
                order[orderStarts[key] + i] = write;
                if (write >= 0 && positions[write] < 0) {
                    positions[write] = i;
                }
            }
        }
    }

    boolean isCommitted(int transaction) {
        return committed.get(transaction);
    }

    /// Whether the writer of a version committed; false if there is no version.
    boolean isCommittedWrite(int write) {
        return write >= 0 && committed.get(history.transaction(write));
    }

    /// The write that a register's read found, [#nothing(int)], or -1 if there is none.
    int writer(int read) {
        return history.value(read) == History.NOTHING
                ? nothing(history.key(read))
                : writes.find(history.key(read), history.value(read));
    }

    /// The version of a key before its first write.
    int nothing(int key) {
        return history.operationCount() + key;
    }

    boolean isNothing(int version) {
        return version >= history.operationCount();
    }

    /// Number of version numbers.
    int count() {
        return history.operationCount() + history.keyCount();
    }

    /// The longest committed read of a list, or -1.
    int longestRead(int key) {
        return longest[key];
    }

    /// Number of versions of a list that were read.
    int knownLength(int key) {
        return orderStarts[key + 1] - orderStarts[key];
    }

    /// The write of the element of a list at `position`, or -1 if there is none.
    int writerAt(int key, int position) {
        return order[orderStarts[key] + position];
    }

    /// Position of an append in its list, or -1 if it was never read.
    int position(int append) {
        return positions[append];
    }
}

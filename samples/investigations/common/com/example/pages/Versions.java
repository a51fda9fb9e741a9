package com.example.pages;

import java.util.Arrays;

/// Where the versions of a page lie, by the transaction that wrote them, in ascending order.
final class Versions {
    private long[] transactions = new long[4];
    private long[] positions = new long[4];
    private int count;

    void add(long transaction, long position) {
        if (count == transactions.length) {
            transactions = Arrays.copyOf(transactions, 2 * count);
            positions = Arrays.copyOf(positions, 2 * count);
        }
        transactions[count] = transaction;
        positions[count++] = position;
    }

    /// Forgets the versions of transactions up to that one.
    void forget(long transaction) {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (transactions[i] > transaction) {
                transactions[kept] = transactions[i];
                positions[kept++] = positions[i];
            }
        }
        count = kept;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /// The position that a transaction sees; -1 where it sees none.
    long position(long transaction) {
        for (int i = count - 1; i >= 0; i--) {
            if (transactions[i] <= transaction) {
                return positions[i];
            }
        }
        return -1;
    }
}

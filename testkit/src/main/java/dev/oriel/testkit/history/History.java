package dev.oriel.testkit.history;

import java.util.Arrays;
import java.util.List;

/// Operations and observations of a database's clients: transactions, each a run of operations. Transactions,
/// operations and keys are numbers here, and their data lies in arrays, so that millions fit.
public final class History {
    /// Value of a register that was never written.
    public static final long NOTHING = Long.MIN_VALUE;

    private static final int SHOWN_MAX = 8;

    private final int[] firstOperations;
    private final int[] transactions;
    private final long[] begins;
    private final long[] ends;
    private final Outcome[] outcomes;
    private final byte[] kinds;
    private final int[] keys;
    private final long[] values;
    private final int[] lengths;
    private final long[] elements;
    private final KeyIndex keyIndex = new KeyIndex();

    private History(int transactionCount, int operationCount, int elementCount) {
        firstOperations = new int[transactionCount + 1];
        begins = new long[transactionCount];
        ends = new long[transactionCount];
        outcomes = new Outcome[transactionCount];
        transactions = new int[operationCount];
        kinds = new byte[operationCount];
        keys = new int[operationCount];
        values = new long[operationCount];
        lengths = new int[operationCount];
        elements = new long[elementCount];
    }

    /// Merges the recordings of several clients. The transactions are numbered from 0, the first client's first.
    /// One that has begun and not ended is left out.
    public static History of(List<Recorder> clients) {
        int transactionCount = 0;
        int operationCount = 0;
        int elementCount = 0;
        for (Recorder client : clients) {
            transactionCount += client.transactionCount;
            operationCount += client.endedOperations();
            elementCount += client.elementCount;
        }
        History history = new History(transactionCount, operationCount, elementCount);
        transactionCount = 0;
        operationCount = 0;
        elementCount = 0;
        for (Recorder client : clients) {
            history.copy(client, transactionCount, operationCount, elementCount);
            transactionCount += client.transactionCount;
            operationCount += client.endedOperations();
            elementCount += client.elementCount;
        }
        history.firstOperations[transactionCount] = operationCount;
        history.nameTransactions();
        history.checkKeys();
        return history;
    }

    private void copy(Recorder client, int transaction, int operation, int element) {
        int count = client.transactionCount;
        int operations = client.endedOperations();
        for (int i = 0; i < count; i++) {
            firstOperations[transaction + i] = operation + client.firstOperations[i];
        }
        System.arraycopy(client.begins, 0, begins, transaction, count);
        System.arraycopy(client.ends, 0, ends, transaction, count);
        System.arraycopy(client.outcomes, 0, outcomes, transaction, count);
        System.arraycopy(client.kinds, 0, kinds, operation, operations);
        System.arraycopy(client.values, 0, values, operation, operations);
        System.arraycopy(client.lengths, 0, lengths, operation, operations);
        System.arraycopy(client.elements, 0, elements, element, client.elementCount);
        for (int i = 0; i < operations; i++) {
            keys[operation + i] = keyIndex.number(client.keys[i]);
            if (client.kinds[i] == Recorder.READ_LIST) {
                values[operation + i] += element;
            }
        }
    }

    private void nameTransactions() {
        for (int i = 0; i < transactionCount(); i++) {
            Arrays.fill(transactions, first(i), end(i), i);
        }
    }

    private void checkKeys() {
        byte[] seen = new byte[keyCount()];
        for (int op = 0; op < operationCount(); op++) {
            byte use = (byte) (isList(op) ? 1 : 2);
            if (seen[keys[op]] != 0 && seen[keys[op]] != use) {
                throw new IllegalArgumentException(
                        "a register and a list have the same key: " + text(op));
            }
            seen[keys[op]] = use;
        }
    }

    /// Number of transactions.
    public int transactionCount() {
        return outcomes.length;
    }

    /// Number of operations.
    public int operationCount() {
        return kinds.length;
    }

    int keyCount() {
        return keyIndex.size();
    }

    /// The first operation of a transaction.
    int first(int transaction) {
        return firstOperations[transaction];
    }

    /// One more than its last operation.
    int end(int transaction) {
        return firstOperations[transaction + 1];
    }

    Outcome outcome(int transaction) {
        return outcomes[transaction];
    }

    long begun(int transaction) {
        return begins[transaction];
    }

    long ended(int transaction) {
        return ends[transaction];
    }

    /// The transaction of an operation.
    int transaction(int op) {
        return transactions[op];
    }

    boolean isWrite(int op) {
        return (kinds[op] & 1) != 0;
    }

    boolean isList(int op) {
        return kinds[op] >= Recorder.READ_LIST;
    }

    int key(int op) {
        return keys[op];
    }

    /// The value read from a register, written or appended.
    long value(int op) {
        return values[op];
    }

    /// Number of elements that the read of a list found.
    int length(int op) {
        return lengths[op];
    }

    long element(int op, int index) {
        return elements[(int) values[op] + index];
    }

    /// The first index at which two reads of lists differ, up to the length of the shorter.
    int commonLength(int a, int b) {
        int common = Math.min(lengths[a], lengths[b]);
        int fromA = (int) values[a];
        int fromB = (int) values[b];
        int mismatch =
                Arrays.mismatch(elements, fromA, fromA + common, elements, fromB, fromB + common);
        return mismatch < 0 ? common : mismatch;
    }

    /// An operation in words.
    String text(int op) {
        long key = keyIndex.key(keys[op]);
        return switch (kinds[op]) {
            case Recorder.READ ->
                    "read(%d) = %s"
                            .formatted(key, values[op] == NOTHING ? "nothing" : values[op] + "");
            case Recorder.WRITE -> "write(%d, %d)".formatted(key, values[op]);
            case Recorder.APPEND -> "append(%d, %d)".formatted(key, values[op]);
            default -> "read(%d) = %s".formatted(key, listText(op));
        };
    }

    private String listText(int op) {
        StringBuilder text = new StringBuilder("[");
        int from = Math.max(0, lengths[op] - SHOWN_MAX);
        if (from > 0) {
            text.append(from).append(" more");
        }
        for (int i = from; i < lengths[op]; i++) {
            text.append(i > 0 ? ", " : "").append(element(op, i));
        }
        return text.append(']').toString();
    }

    /// A transaction in words.
    public String describe(int transaction) {
        StringBuilder text = new StringBuilder();
        text.append('T').append(transaction).append(' ').append(outcomes[transaction]);
        text.append(" from ").append(begins[transaction]).append(" to ").append(ends[transaction]);
        String before = ": ";
        for (int op = first(transaction); op < end(transaction); op++) {
            text.append(before).append(text(op));
            before = ", ";
        }
        return text.toString();
    }
}

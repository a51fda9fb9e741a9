package dev.oriel.testkit.history;

import java.util.Arrays;

/// The operations of one client, one transaction after the other. For one thread; [History#of] merges several
/// clients.
///
/// A key is a register or a list for the whole history. Each value is written to a key only once, so that a read
/// identifies its writer. Times may be of any clock that all clients share, such as `System.nanoTime` or a
/// counter: a lower reading is earlier.
public final class Recorder {
    static final byte READ = 0;
    static final byte WRITE = 1;
    static final byte READ_LIST = 2;
    static final byte APPEND = 3;

    byte[] kinds = new byte[64];
    long[] keys = new long[64];
    long[] values = new long[64];
    int[] lengths = new int[64];
    int operationCount;

    long[] elements = new long[64];
    int elementCount;

    int[] firstOperations = new int[16];
    long[] begins = new long[16];
    long[] ends = new long[16];
    Outcome[] outcomes = new Outcome[16];
    int transactionCount;
    private boolean open;

    /// An empty recording.
    public Recorder() {}

    /// Begins a transaction. `time` must be read before its first request to the database.
    public void begin(long time) {
        if (open) {
            throw new IllegalStateException("the last transaction has not ended");
        }
        if (transactionCount == begins.length) {
            firstOperations = Arrays.copyOf(firstOperations, 2 * transactionCount);
            begins = Arrays.copyOf(begins, 2 * transactionCount);
            ends = Arrays.copyOf(ends, 2 * transactionCount);
            outcomes = Arrays.copyOf(outcomes, 2 * transactionCount);
        }
        firstOperations[transactionCount] = operationCount;
        begins[transactionCount] = time;
        open = true;
    }

    /// Reads `value` from a register; [History#NOTHING] if there was none.
    public void read(long key, long value) {
        add(READ, key, value, 0);
    }

    /// Writes to a register.
    public void write(long key, long value) {
        add(WRITE, key, value, 0);
    }

    /// Reads a list: the first `length` of `found`, which are copied. A missing list is an empty one.
    public void readList(long key, long[] found, int length) {
        add(READ_LIST, key, elementCount, length);
        if (elementCount + length > elements.length) {
            elements = Arrays.copyOf(elements, Math.max(elementCount + length, 2 * elementCount));
        }
        System.arraycopy(found, 0, elements, elementCount, length);
        elementCount += length;
    }

    /// Appends to a list.
    public void append(long key, long element) {
        add(APPEND, key, element, 0);
    }

    private void add(byte kind, long key, long value, int length) {
        if (!open) {
            throw new IllegalStateException("no transaction has begun");
        }
        if (operationCount == kinds.length) {
            kinds = Arrays.copyOf(kinds, 2 * operationCount);
            keys = Arrays.copyOf(keys, 2 * operationCount);
            values = Arrays.copyOf(values, 2 * operationCount);
            lengths = Arrays.copyOf(lengths, 2 * operationCount);
        }
        kinds[operationCount] = kind;
        keys[operationCount] = key;
        values[operationCount] = value;
        lengths[operationCount++] = length;
    }

    /// Number of operations of ended transactions.
    int endedOperations() {
        return open ? firstOperations[transactionCount] : operationCount;
    }

    /// Ends the transaction. `time` is after the answer to its commit or rollback.
    public void end(Outcome outcome, long time) {
        if (!open) {
            throw new IllegalStateException("no transaction has begun");
        }
        ends[transactionCount] = time;
        outcomes[transactionCount++] = outcome;
        open = false;
    }
}

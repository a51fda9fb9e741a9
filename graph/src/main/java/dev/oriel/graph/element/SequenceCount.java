package dev.oriel.graph.element;

import java.lang.invoke.VarHandle;

/// The sequence count of a seqlock: batch reads begun and ended, odd while one runs. Batches reuse their arrays, so
/// an element could be made of two if a second thread reads a batch meanwhile. Nobody waits: it is an error.
///
/// Taking an element costs two loads of the count.
final class SequenceCount {
    private int sequence;

    void beginBatch() {
        if ((sequence & 1) != 0) {
            throw twoThreads();
        }
        sequence++;
        VarHandle.storeStoreFence();
    }

    void endBatch() {
        VarHandle.releaseFence();
        sequence++;
    }

    /// The count before an element is taken, for [#check].
    int seen() {
        int seen = sequence;
        VarHandle.acquireFence();
        return seen;
    }

    /// Throws if another thread has read a batch since `seen`.
    void check(int seen) {
        VarHandle.acquireFence();
        if (sequence != seen || (seen & 1) != 0) {
            throw twoThreads();
        }
    }

    static IllegalStateException twoThreads() {
        return new IllegalStateException(
                "Two threads use this iterator or traversal at a time; give it to one");
    }
}

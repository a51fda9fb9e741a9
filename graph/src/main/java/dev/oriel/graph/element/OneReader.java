package dev.oriel.graph.element;

import java.lang.invoke.VarHandle;

/// Notices that a second thread reads batches of an iterator while an element is taken from the current batch. The
/// element could be made of two otherwise, because batches reuse their arrays.
///
/// A count of batch reads begun and ended, odd while one runs. Taking an element costs two loads of it.
final class OneReader {
    private int reads;

    void beginRead() {
        if ((reads & 1) != 0) {
            throw twoThreads();
        }
        reads++;
        VarHandle.storeStoreFence();
    }

    void endRead() {
        VarHandle.releaseFence();
        reads++;
    }

    /// The count before an element is taken, for [#check].
    int seen() {
        int seen = reads;
        VarHandle.acquireFence();
        return seen;
    }

    /// Throws if another thread has read a batch since `seen`.
    void check(int seen) {
        VarHandle.acquireFence();
        if (reads != seen || (seen & 1) != 0) {
            throw twoThreads();
        }
    }

    static IllegalStateException twoThreads() {
        return new IllegalStateException(
                "Two threads use this iterator or traversal at a time; give it to one");
    }
}

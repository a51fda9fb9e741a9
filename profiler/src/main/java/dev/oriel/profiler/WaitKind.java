package dev.oriel.profiler;

import dev.oriel.profiler.Sample.StackFrame;

/// Reasons of a thread's wait, found for samples by [Waits].
public enum WaitKind {
    /// Another thread held a lock.
    LOCK,
    /// The thread slept.
    SLEEP,
    /// The thread waited for other threads of the program: for their end, their results, an entry of a queue.
    HANDOFF,
    /// The thread forced a file to the disk.
    SYNC,
    /// The thread read or wrote a file, or a socket on behalf of a waiting caller.
    IO,
    /// The thread waited for the next request of its client.
    CLIENT,
    /// The thread had nothing to do: a pool without tasks, or a background thread between two turns.
    IDLE,
    /// The sample shows no wait.
    NONE;

    /// Whether a frame is the JDK's own.
    public static boolean isOfTheJdk(StackFrame frame) {
        String owner = frame.owner();
        return owner.startsWith("java.")
                || owner.startsWith("javax.")
                || owner.startsWith("jdk.")
                || owner.startsWith("sun.")
                || owner.startsWith("com.sun.");
    }
}

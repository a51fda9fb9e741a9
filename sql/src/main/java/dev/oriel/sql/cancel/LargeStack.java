package dev.oriel.sql.cancel;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A stack for work that recurses as deep as a statement is nested: parsing, binding and planning. Application
/// threads may have stacks of any size, and a virtual thread has that of its carrier. So deep work runs in a thread
/// of its own while the caller waits. Cancels of the caller's session reach it.
public final class LargeStack {
    /// Bytes of address space for a stack; only pages in use take memory.
    private static final long STACK_BYTES = 1L << 29;

    private LargeStack() {}

    /// Runs `work` here, or on a large stack if it is `deep` or this thread's stack overflows.
    ///
    /// @param work may run a second time, after its first run has ended with a StackOverflowError
    public static <T> T call(boolean deep, Supplier<T> work) {
        if (!deep || isHere()) {
            try {
                return work.get();
            } catch (StackOverflowError small) {
                if (isHere()) {
                    throw small;
                }
            }
        }
        return call(work);
    }

    /// Runs work without a result, like [#call(boolean,Supplier)].
    public static void run(boolean deep, Runnable work) {
        boolean _ =
                call(
                        deep,
                        () -> {
                            work.run();
                            return true;
                        });
    }

    /// Runs `work` on a large stack: in this thread if it has one.
    public static <T> T call(Supplier<T> work) {
        if (isHere()) {
            return work.get();
        }
        Worker<T> worker = new Worker<>(work, Cancellation.handOver());
        worker.start();
        boolean interrupted = false;
        while (worker.isAlive()) {
            try {
                worker.join();
            } catch (InterruptedException e) {
                interrupted = true; // an interrupt ends no statement
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return worker.result();
    }

    /// Whether this thread has a large stack.
    private static boolean isHere() {
        return Thread.currentThread() instanceof Worker;
    }

    private static final class Worker<T> extends Thread {
        private final Supplier<T> work;
        private final @Nullable Cancellation cancellation;
        private @Nullable T result;
        private @Nullable Throwable failure;

        Worker(Supplier<T> work, @Nullable Cancellation cancellation) {
            super(null, null, "oriel-large-stack", STACK_BYTES, false);
            this.work = work;
            this.cancellation = cancellation;
            setDaemon(true);
        }

        @Override
        public void run() {
            Thread caller = cancellation == null ? null : cancellation.moveTo(null);
            try {
                result = work.get();
            } catch (RuntimeException | Error failed) {
                failure = failed;
            } finally {
                if (cancellation != null) {
                    cancellation.moveTo(caller);
                }
            }
        }

        /// Returns the result, once the thread has ended.
        @SuppressWarnings("NullAway") // null only if `work` returned null
        T result() {
            switch (failure) {
                case null -> {}
                case RuntimeException failed -> throw failed;
                case Error failed -> throw failed;
                default -> throw new IllegalStateException(failure);
            }
            return result;
        }
    }
}

package dev.oriel.profiler;

import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Recorders of one profile, and the lookup of a thread's recorder.
///
/// At most one session is active. Ending it takes effect for each thread at its next event: entries are no longer
/// recorded, and exits find that their session has ended. Thread-locals refer to recorders weakly, so surviving
/// threads keep no session alive.
///
/// The fast path is a small table indexed by thread id: a slot is valid if its recorder's holder is the current
/// thread. Otherwise the thread-local is read, which takes longer. Because the holder is checked, a stale slot is
/// harmless, and the table needs no lock.
///
/// Thread-safe. A session's lock guards its lists and each recorder's `holder`. A platform thread takes it at its
/// first probe, a virtual thread at each root call. Nothing that takes long happens under it.
final class Session {
    private static final int EPOCHS = 1 << 11;
    private static final int RECORDERS = 1 << 20;
    private static final int NEAR = 1 << 10;
    private static final ThreadLocal<@Nullable WeakReference<Recorder>> HELD = new ThreadLocal<>();

    private static volatile @Nullable Session active;
    private static int epochs;

    /// Recorders of the active session; null if none is active.
    private static volatile @Nullable Recorder @Nullable [] table;

    private final TreeOptions options;
    private final long epoch;

    /// Read after a check of the budget. Entries and exits read the system's directly.
    final LongSupplier clock;

    /// Held while the cost of recording is measured, so that threads can borrow recorders meanwhile.
    private final Object measuring = new Object();

    private volatile long callNanos;
    private long countedNanos;
    private boolean measuredAgain;

    /// Probes that were left out past the budget.
    private final Set<Probe> left = ConcurrentHashMap.newKeySet();

    /// Guarded by `left`, as are the probes' marks.
    private boolean broughtBack;

    private final List<Recorder> recorders = new ArrayList<>();
    private final ArrayDeque<Recorder> free = new ArrayDeque<>();
    private final @Nullable Recorder[] near = new @Nullable Recorder[NEAR];
    private int collectAt = 64;

    private Session(TreeOptions options, long epoch, long callNanos, LongSupplier clock) {
        this.options = options;
        this.callNanos = callNanos;
        this.epoch = epoch;
        this.clock = clock;
    }

    /// Starts recording. The caller has made sure that no session is active.
    ///
    /// @param callNanos cost of recording a timed call
    /// @param countedNanos cost of a call that is counted without a time
    static synchronized Session begin(TreeOptions options, long callNanos, long countedNanos) {
        epochs = epochs % (EPOCHS - 1) + 1;
        Session session = new Session(options, epochs, callNanos, System::nanoTime);
        session.countedNanos = countedNanos;
        active = session;
        table = session.near;
        Probe.on = true;
        return session;
    }

    /// Stops recording; the data stays here.
    static void end() {
        Probe.on = false;
        table = null;
        active = null;
    }

    @SuppressWarnings("ReferenceEquality") // the very thread
    static long enter(Probe probe) {
        @Nullable Recorder[] near = table;
        if (near == null) {
            return 0;
        }
        Thread thread = Thread.currentThread();
        Recorder recorder = near[(int) thread.threadId() & NEAR - 1];
        if (recorder == null || recorder.holder != thread) {
            recorder = held(thread, true);
            if (recorder == null) {
                return 0;
            }
        }
        return recorder.enter(probe);
    }

    @SuppressWarnings("ReferenceEquality") // the very thread
    static void exit(long token, boolean failed) {
        @Nullable Recorder[] near = table;
        if (near == null) {
            return;
        }
        Thread thread = Thread.currentThread();
        Recorder recorder = near[(int) thread.threadId() & NEAR - 1];
        if (recorder == null || recorder.holder != thread) {
            recorder = held(thread, false);
            if (recorder == null) {
                return;
            }
        }
        if (recorder.exit(token, failed) && recorder.returned) {
            recorder.session.giveBack(recorder);
        }
    }

    /// The recorder that the thread holds in the active session; null if there is no session or no recorder.
    ///
    /// @param lent whether to lend it one if it has none
    private static @Nullable Recorder held(Thread thread, boolean lent) {
        Session session = active;
        if (session == null) {
            return null;
        }
        Recorder recorder = session.far(thread);
        return recorder == null && lent ? session.borrow(thread) : recorder;
    }

    /// The recorder of this session that the thread holds, if the table lacks it.
    private @Nullable Recorder far(Thread thread) {
        WeakReference<Recorder> held = HELD.get();
        Recorder recorder = held == null ? null : held.get();
        if (recorder == null || recorder.session != this) {
            return null;
        }
        place(thread, recorder);
        return recorder;
    }

    /// Puts a recorder into the table, unless another living thread uses the slot.
    private void place(Thread thread, Recorder recorder) {
        int at = (int) thread.threadId() & NEAR - 1;
        Recorder there = near[at];
        Thread user = there == null ? null : there.holder;
        if (user == null || !user.isAlive()) {
            near[at] = recorder;
        }
    }

    /// A recorder that no session lists, for calibration.
    static Recorder unregistered(TreeOptions options) {
        return unregistered(options, ProbeBudget.NONE, System::nanoTime);
    }

    static Recorder unregistered(TreeOptions options, ProbeBudget budget, LongSupplier clock) {
        return new Recorder(new Session(options, 1, 0, clock), options, budget, 1L << 52);
    }

    /// The probes that were left out so far.
    Set<Probe> left() {
        return left;
    }

    /// Leaves a probe out until [#bringBack].
    void leaveOut(Probe probe) {
        synchronized (left) {
            if (!broughtBack) {
                left.add(probe);
                probe.leftOut = true;
            }
        }
    }

    /// Makes the probes usable again; later ones are not left out.
    void bringBack() {
        synchronized (left) {
            broughtBack = true;
            left.forEach(probe -> probe.leftOut = false);
        }
    }

    /// Every recorder so far.
    synchronized List<Recorder> recorders() {
        return List.copyOf(recorders);
    }

    /// The cost of recording a timed call, measured in the running program. Takes some 15 ms the first time.
    private long callNanosAgain() {
        synchronized (measuring) {
            if (!measuredAgain) {
                measuredAgain = true;
                callNanos = Math.min(callNanos, Calibration.compiledNanos(options));
            }
            return callNanos;
        }
    }

    private synchronized Recorder borrow(Thread thread) {
        if (free.isEmpty() && recorders.size() >= collectAt) {
            collect();
        }
        Recorder recorder = free.poll();
        if (recorder == null) {
            long number = recorders.size() % RECORDERS;
            ProbeBudget budget =
                    options.autoTune()
                            ? new ProbeBudget(options.budget(), callNanos, this::callNanosAgain)
                            : ProbeBudget.NONE;
            if (options.autoTune() && options.leaveOut()) {
                budget.leaving(countedNanos, this::leaveOut);
            }
            recorder = new Recorder(this, options, budget, epoch << 52 | number << 32);
            recorders.add(recorder);
        }
        recorder.begin(System.nanoTime(), thread);
        recorder.holder = thread;
        recorder.returned = thread.isVirtual();
        HELD.set(recorder.reference);
        place(thread, recorder);
        return recorder;
    }

    private void giveBack(Recorder recorder) {
        HELD.remove();
        synchronized (this) {
            recorder.holder = null;
            free.push(recorder);
        }
    }

    /// Takes back the recorders of threads that have ended. The cost is amortised over as many borrowings as there
    /// are recorders in use.
    private void collect() {
        for (Recorder recorder : recorders) {
            Thread holder = recorder.holder;
            if (holder != null && !holder.isAlive()) {
                recorder.holder = null;
                recorder.clearStack();
                free.push(recorder);
            }
        }
        collectAt = Math.max(64, 2 * (recorders.size() - free.size()));
    }
}

package dev.oriel.sql.watch;

import dev.oriel.sql.measure.OperatorTicks;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The executions of statements by thread and time, recorded while a profile runs. Safe for use by any number of
/// threads.
///
/// It is bounded. If there are too many executions, adjacent ones of one kind in one thread are merged. At first
/// their gap is a microsecond at most, then it may be wider.
final class StatementTimeline implements OperatorTicks.Profiled {
    static final int EXECUTIONS_MAX = 200_000;

    /// Maximum gap between merged executions.
    private static final long GAP_NANOS_MAX = 1_000_000;

    /// @param begunNanos by [System#nanoTime()]
    /// @param session number of its session
    /// @param plan the plan measured; null if none was
    record Execution(
            long begunNanos,
            long endedNanos,
            long session,
            StatementEntry statement,
            @Nullable FollowedPlan plan) {
        /// @param gapNanos maximum gap
        /// @param bySession whether both must be of one session
        private boolean joins(Execution next, long gapNanos, boolean bySession) {
            long gap = next.begunNanos - endedNanos;
            return statement == next.statement
                    && (!bySession || session == next.session)
                    && gap >= 0
                    && gap <= gapNanos;
        }
    }

    private final ProfileScope scope;
    private final long startedNanos = System.nanoTime();
    private final Map<String, List<Execution>> byThread = new HashMap<>();

    /// Index of the enclosing execution for each execution of a thread: the last one still open when it began, or
    /// -1. Filled by sorting.
    private final Map<String, int[]> around = new HashMap<>();

    private long seen;
    private long taken;
    private int kept;
    private long gapNanos = 500;
    private long dropped;
    private volatile boolean ended;

    /// @param scope the executions whose samples the profile keeps. The timeline records all executions, since a thread
    ///     can run others within these
    StatementTimeline(ProfileScope scope) {
        this.scope = scope;
    }

    /// The start of an execution that had begun before the profile did.
    long startedNanos() {
        return startedNanos;
    }

    synchronized void add(Thread thread, Execution added) {
        if (ended) {
            return; // it ended after the profile did
        }
        seen++;
        taken += scope.takes(added) ? 1 : 0;
        if (kept >= EXECUTIONS_MAX && !merge()) {
            dropped++;
            return;
        }
        List<Execution> executions =
                byThread.computeIfAbsent(name(thread), name -> new ArrayList<>());
        Execution last = executions.isEmpty() ? null : executions.getLast();
        if (last != null && gapNanos > 500 && last.joins(added, gapNanos, scope.session() != 0)) {
            executions.set(executions.size() - 1, joined(last, added));
        } else {
            executions.add(added);
            kept++;
        }
    }

    /// Adds an execution that is still running at the end of the profile. Its start may be somewhat too early.
    synchronized void addOpen(Thread thread, Execution open) {
        List<Execution> before = byThread.getOrDefault(name(thread), List.of());
        long last = before.isEmpty() ? Long.MIN_VALUE : before.getLast().endedNanos;
        add(
                thread,
                new Execution(
                        Math.max(open.begunNanos, last),
                        open.endedNanos,
                        open.session,
                        open.statement,
                        open.plan));
    }

    private static Execution joined(Execution a, Execution b) {
        FollowedPlan plan = a.plan == null ? b.plan : a.plan;
        return new Execution(a.begunNanos, b.endedNanos, a.session, a.statement, plan);
    }

    /// Merges executions to make room; whether there is room.
    private boolean merge() {
        while (kept > EXECUTIONS_MAX / 2 && gapNanos < GAP_NANOS_MAX) {
            gapNanos *= 2;
            kept = 0;
            for (Map.Entry<String, List<Execution>> thread : byThread.entrySet()) {
                List<Execution> merged = merged(thread.getValue());
                thread.setValue(merged);
                kept += merged.size();
            }
        }
        return kept < EXECUTIONS_MAX;
    }

    private List<Execution> merged(List<Execution> executions) {
        List<Execution> merged = new ArrayList<>();
        for (Execution execution : executions) {
            Execution last = merged.isEmpty() ? null : merged.getLast();
            if (last != null && last.joins(execution, gapNanos, scope.session() != 0)) {
                merged.set(merged.size() - 1, joined(last, execution));
            } else {
                merged.add(execution);
            }
        }
        return merged;
    }

    /// The name of a thread as in samples.
    static String name(Thread thread) {
        String name = thread.getName();
        return name.isEmpty() && thread.isVirtual() ? "virtual-" + thread.threadId() : name;
    }

    /// Number of executions recorded, including dropped ones.
    synchronized long seen() {
        return seen;
    }

    /// Number of executions within the scope, including dropped ones.
    synchronized long taken() {
        return taken;
    }

    /// Number of executions dropped because merging made no room.
    synchronized long dropped() {
        return dropped;
    }

    /// Whether recording has ended.
    @Override
    public boolean ended() {
        return ended;
    }

    /// Ends recording and sorts executions by start time. To be called once.
    synchronized void sort() {
        ended = true;
        byThread.forEach((thread, list) -> {
            list.sort((a, b) -> Long.compare(a.begunNanos, b.begunNanos));
            around.put(thread, around(list));
        });
    }

    /// The enclosing executions. An execution that ended before a later one began is skipped by all later ones. So an
    /// open result is reached in few steps, however many executions ran concurrently.
    private static int[] around(List<Execution> executions) {
        int[] around = new int[executions.size()];
        int open = -1;
        for (int i = 0; i < around.length; i++) {
            while (open >= 0 && executions.get(open).endedNanos < executions.get(i).begunNanos) {
                open = around[open];
            }
            around[i] = open;
            open = i;
        }
        return around;
    }

    /// The execution that `thread` ran at `nanos`, the last begun if several were open; null if there was none. To
    /// be called after [#sort].
    synchronized @Nullable Execution at(String thread, long nanos) {
        List<Execution> executions = byThread.getOrDefault(thread, List.of());
        int low = 0;
        int high = executions.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (executions.get(middle).begunNanos <= nanos) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        int[] outer = around.getOrDefault(thread, new int[0]);
        for (int i = low - 1; i >= 0; i = outer[i]) {
            if (executions.get(i).endedNanos >= nanos) {
                return executions.get(i);
            }
        }
        return null;
    }
}

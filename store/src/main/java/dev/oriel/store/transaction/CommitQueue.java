package dev.oriel.store.transaction;

import dev.oriel.store.Durability;
import dev.oriel.store.LimitException;
import dev.oriel.store.version.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Group commit. One committer at a time has the page writer's role; it commits for all that wait by then, with one
/// log record and one publication. So the busier the log, the cheaper each commit, and a lone committer never
/// waits.
///
/// A committer that wants a sync first takes the **turn**, and keeps it through the sync; then it takes the role, and
/// releases that before the sync. Later committers that want a sync form the next group meanwhile, with one record and
/// one sync. Committers that need no sync commit during a sync of others.
///
/// A waiting committer is parked once. It is woken when its commit is done, or when it is the first in its queue
/// and the turn or role is free. No committer is forgotten: it joins its queue before it is parked, then tries once
/// more to get turn or role. The thread that gives one of them up looks into the queue afterwards. A committer
/// without a sync that finds the role free skips the queue.
///
/// Lock order: the turn, then the role.
public final class CommitQueue {
    /// Maximum number of transactions in one record.
    private static final int GROUP_MAX = 128;

    private static final int GROUP_USUAL = 4;

    /// Time to wait for the committers of the last group, which were just woken.
    private static final long GATHER_NANOS = 30_000;

    /// Number of vain waits after which only one group in `GROUPS_A_TRY` waits.
    private static final int VAIN_MAX = 4;

    private static final int GROUPS_A_TRY = 64;

    private final Committer committer;
    private final LongSupplier clock;
    private final Semaphore role = new Semaphore(1);
    private final Semaphore turn = new Semaphore(1);

    /// Committers that want no sync, and committers that do.
    private final Queue<Member> waiting = new ConcurrentLinkedQueue<>();

    private final Queue<Member> waitingForSync = new ConcurrentLinkedQueue<>();

    /// Made before it is needed: the holder of the turn must not fail to use it.
    private final Consumer<List<Member>> takeAll = this::takeAll;

    private final AtomicInteger waitingForSyncCount = new AtomicInteger();

    /// Thread that has the turn and waits for the role.
    private volatile @Nullable Thread next;

    /// Whether the role's holder keeps it for more than a commit.
    private volatile boolean held;

    // State of the holder of the turn.
    private List<Member> lastGroup = List.of();
    private int vain;
    private int groups;

    CommitQueue(Committer committer, LongSupplier clock) {
        this.committer = committer;
        this.clock = clock;
    }

    /// A transaction that is to be committed.
    static final class Member {
        final WriteTransaction transaction;
        private final Thread thread = Thread.currentThread();

        /// The reason why it is not committed, in which case it is still open, or why its commit may be lost.
        @Nullable Throwable failure;

        private @Nullable State committed;
        private volatile boolean done;

        Member(WriteTransaction transaction) {
            this.transaction = transaction;
        }

        boolean wantsSync() {
            return transaction.durability() == Durability.SYNC;
        }
    }

    /// Takes the role, possibly for long.
    void takeRole() {
        role.acquireUninterruptibly();
        held = true;
    }

    /// Takes the role if it is free within `nanos`.
    boolean tryTakeRole(long nanos) {
        boolean interrupted = Thread.interrupted();
        try {
            return role.tryAcquire(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
            return false;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    boolean isHeld() {
        return held;
    }

    void giveRole() {
        if (held) {
            held = false;
        }
        role.release();
        unpark(waiting.peek());
        LockSupport.unpark(next);
    }

    private void giveTurn() {
        turn.release();
        unpark(waitingForSync.peek());
    }

    private static void unpark(@Nullable Member first) {
        if (first != null) {
            LockSupport.unpark(first.thread);
        }
    }

    /// Commits `transaction`, alone or with others, and returns the resulting state, as durable as the transaction
    /// demands.
    State commit(WriteTransaction transaction) {
        Member own = new Member(transaction);
        boolean syncs = own.wantsSync();
        List<Member> group = new ArrayList<>(GROUP_USUAL); // before it has the role
        group.add(own);
        if (!syncs && role.tryAcquire()) {
            leadWithRole(group);
            return result(own);
        }
        join(own);
        boolean interrupted = false;
        while (!own.done) {
            if (syncs && turn.tryAcquire()) {
                if (own.done) { // the last holder of the turn has committed it
                    giveTurn();
                } else {
                    group.clear(); // it waits with the others
                    interrupted |= leadWithTurn(group, takeAll);
                }
            } else if (!syncs && role.tryAcquire()) {
                group.clear(); // it waits with the others
                leadWithRole(group);
            } else {
                LockSupport.park(this);
                interrupted |= Thread.interrupted(); // or it would not park again
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return result(own);
    }

    private void join(Member member) {
        if (member.wantsSync()) {
            waitingForSync.add(member);
            waitingForSyncCount.incrementAndGet();
        } else {
            waiting.add(member);
        }
    }

    /// Commits `transactions` like a group of waiting threads, on the calling thread: so a group is deterministic.
    /// Each has its own durability. No other thread may commit meanwhile.
    State commitTogether(List<WriteTransaction> transactions) {
        List<Member> group = transactions.stream().map(Member::new).toList();
        Consumer<List<Member>> they = members -> members.addAll(group);
        turn.acquireUninterruptibly();
        boolean interrupted = leadWithTurn(new ArrayList<>(), they);
        State last = null;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        for (Member member : group) {
            last = result(member);
        }
        return Objects.requireNonNull(last, "nobody to commit");
    }

    private static State result(Member own) {
        Throwable failure = own.failure;
        if (failure != null) {
            switch (failure) {
                case RuntimeException e -> throw e;
                case Error e -> throw e;
                default -> throw new IllegalStateException(failure);
            }
        }
        State committed = own.committed;
        if (committed == null) {
            throw new IllegalStateException("neither committed nor failed");
        }
        return committed;
    }

    /// Commits `group` and the waiting committers that want no sync; the caller has the role.
    private void leadWithRole(List<Member> group) {
        State committed = null;
        try {
            take(waiting, group);
            if (!group.isEmpty()) {
                committed = commitAll(group);
            }
        } catch (Throwable e) { // unforeseen errors too: each committer must learn of them
            fail(group, e);
        } finally {
            giveRole();
        }
        finish(group, committed, true);
    }

    /// Commits the group that `taking` adds to the empty `group`, and makes it durable if one of its transactions
    /// wants that; the caller has the turn. Locks and role are released before the sync. Returns whether the thread
    /// was interrupted meanwhile.
    private boolean leadWithTurn(List<Member> group, Consumer<List<Member>> taking) {
        State committed = null;
        boolean interrupted = false;
        try {
            interrupted = awaitRole();
            try {
                taking.accept(group);
                if (!group.isEmpty()) {
                    committed = commitAll(group);
                }
            } finally {
                giveRole();
            }
            if (committed != null) {
                finish(group, committed, false);
                if (anyWantsSync(group)) {
                    committer.makeDurable(committed, Durability.SYNC);
                }
            }
        } catch (Throwable e) { // as above
            fail(group, e);
        } finally {
            // Before the turn is free: its next holder must see them done.
            finish(group, committed, true);
            giveTurn();
        }
        return interrupted;
    }

    /// Takes the role with the turn; returns whether the thread was interrupted meanwhile.
    private boolean awaitRole() {
        gather();
        next = Thread.currentThread();
        boolean interrupted = false;
        while (!role.tryAcquire()) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
        next = null;
        return interrupted;
    }

    private void takeAll(List<Member> group) {
        lastGroup = group;
        take(waitingForSync, group);
        waitingForSyncCount.addAndGet(-group.size());
        take(waiting, group);
    }

    /// Moves members to `group` until it is full. No other thread takes any of them: so a member leaves the queue
    /// only once it is in the group.
    private static void take(Queue<Member> from, List<Member> group) {
        Member member = from.peek();
        while (member != null && group.size() < GROUP_MAX) {
            group.add(member);
            from.remove();
            member = from.peek();
        }
    }

    private static boolean anyWantsSync(List<Member> group) {
        for (int i = 0; i < group.size(); i++) { // no iterator for each commit
            if (group.get(i).wantsSync()) {
                return true;
            }
        }
        return false;
    }

    /// Commits the group together; if the disk has no room for that, one by one. So a delete does not fail because
    /// of an insert in its group.
    private @Nullable State commitAll(List<Member> group) {
        try {
            return committer.commitTogether(group);
        } catch (LimitException e) {
            if (group.size() == 1) {
                throw e;
            }
        }
        State last = null;
        for (Member member : group) {
            try {
                State committed = committer.commitTogether(List.of(member));
                last = committed == null ? last : committed;
            } catch (RuntimeException | Error e) { // the members before it are committed
                member.failure = e;
            }
        }
        return last;
    }

    /// Wakes the committers whose commit is done: all that are left, or the ones without a sync.
    @SuppressWarnings("ReferenceEquality") // the very thread
    private static void finish(List<Member> group, @Nullable State committed, boolean all) {
        for (int i = 0; i < group.size(); i++) {
            Member member = group.get(i);
            if (!member.done && (all || !member.wantsSync())) {
                member.committed = committed;
                member.done = true;
                if (member.thread != Thread.currentThread()) {
                    LockSupport.unpark(member.thread);
                }
            }
        }
    }

    /// Waits a moment for the committers of the last group: their next transactions are often short, and a sync is
    /// long. Otherwise two groups would alternate, each half as large.
    @SuppressWarnings({"ReferenceEquality", "ThreadPriorityCheck"}) // they may need this very core
    private void gather() {
        int expected = waitingForSyncCount.get();
        for (int i = 0; i < lastGroup.size(); i++) {
            Member member = lastGroup.get(i);
            if (member.wantsSync() && member.thread != Thread.currentThread()) {
                expected++;
            }
        }
        groups++;
        boolean hopeless = vain >= VAIN_MAX && groups % GROUPS_A_TRY != 0;
        if (waitingForSyncCount.get() == 0 || expected == waitingForSyncCount.get() || hopeless) {
            return;
        }
        long end = clock.getAsLong() + GATHER_NANOS;
        while (waitingForSyncCount.get() < expected && clock.getAsLong() - end < 0) {
            Thread.yield();
        }
        vain = waitingForSyncCount.get() < expected ? vain + 1 : 0;
    }

    private static void fail(List<Member> group, Throwable reason) {
        for (Member member : group) {
            if (member.failure == null && !member.done) {
                member.failure = reason;
            }
        }
    }
}

package dev.oriel.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Committers who meet. One at a time has the page writer's role; a committer who gets it commits for all
/// that wait by then: with one log record and one publication. So the busier the log, the less each commit
/// costs, and whoever comes alone waits for nobody.
///
/// Who wants a sync needs the **turn** first, which is kept through the sync, and then the role, which is not: those
/// who want a sync and come meanwhile form the next group, with one record and one sync, and those who want
/// none commit beside the sync that they have no part in.
///
/// Who waits is parked once, and woken when all is done, or when what it waits for is free and it is the first.
/// Nobody is forgotten: a committer joins its queue before it is parked, then tries once more to get turn or role,
/// and whoever gives one of them up looks into the queue afterwards. Who wants no sync and finds the role free has
/// no need of the queue.
///
/// Lock order: the turn, then the role.
final class CommitQueue {
    /// So many transactions at most have one record.
    private static final int GROUP_MAX = 128;

    private static final int GROUP_USUAL = 4;

    /// How long those of the last group are waited for, who were just told that they are done.
    private static final long GATHER_NANOS = 30_000;

    /// After so many times in vain it is tried once in so many groups.
    private static final int VAIN_MAX = 4;

    private static final int GROUPS_A_TRY = 64;

    private final Committer committer;
    private final LongSupplier clock;
    private final Semaphore role = new Semaphore(1);
    private final Semaphore turn = new Semaphore(1);

    /// Those who want no sync, and those who do.
    private final Queue<Member> waiting = new ConcurrentLinkedQueue<>();

    private final Queue<Member> waitingForSync = new ConcurrentLinkedQueue<>();

    /// Made before it is needed: who has the turn must not fail to use it.
    private final Consumer<List<Member>> takeAll = this::takeAll;

    private final AtomicInteger waitingForSyncCount = new AtomicInteger();

    /// Who has the turn and waits for the role.
    private volatile @Nullable Thread next;

    /// Whether who has the role keeps it for more than a commit.
    private volatile boolean held;

    // Of the holder of the turn.
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

        /// Why it is not committed; it is open then, as it was. Or, once it is, why it may be lost.
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

    /// Takes the role, for long perhaps.
    void takeRole() {
        role.acquireUninterruptibly();
        held = true;
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

    /// Commits `transaction`, alone or with others, and returns what that led to, as durable as the store
    /// wants it.
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
                if (own.done) { // the last holder of the turn has seen to it
                    giveTurn();
                } else {
                    interrupted |= leadWithTurn(takeAll);
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

    /// Commits `transactions` as those of threads that have met, on the calling thread: so a group is a
    /// function of what is done. Each has its own durability. Nobody else may commit meanwhile.
    State commitTogether(List<WriteTransaction> transactions) {
        List<Member> group = transactions.stream().map(Member::new).toList();
        Consumer<List<Member>> they = members -> members.addAll(group);
        turn.acquireUninterruptibly();
        boolean interrupted = leadWithTurn(they);
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

    /// Commits `group` and those who wait and want no sync; it has the role.
    private void leadWithRole(List<Member> group) {
        State committed = null;
        try {
            take(waiting, group);
            if (!group.isEmpty()) {
                committed = commitAll(group);
            }
        } catch (Throwable e) { // also what nobody foresees: each committer must hear of it
            fail(group, e);
        } finally {
            giveRole();
        }
        finish(group, committed, true);
    }

    /// Commits a group, and makes that durable where somebody wants it; it has the turn. Locks are released before
    /// the sync, and so is the role. Whether the thread was interrupted meanwhile.
    private boolean leadWithTurn(Consumer<List<Member>> taking) {
        List<Member> group = List.of();
        State committed = null;
        boolean interrupted = false;
        try {
            interrupted = awaitRole();
            try {
                group = new ArrayList<>();
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
            finish(group, committed, true); // before the turn is free: who gets it is not done
            giveTurn();
        }
        return interrupted;
    }

    /// Takes the role with the turn; whether the thread was interrupted meanwhile.
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

    /// Moves members to `group`, until that is full. Nobody else takes any of them: so one stays where it is until
    /// it is there too.
    private static void take(Queue<Member> from, List<Member> group) {
        Member member = from.peek();
        while (member != null && group.size() < GROUP_MAX) {
            group.add(member);
            from.remove();
            member = from.peek();
        }
    }

    private static boolean anyWantsSync(List<Member> group) {
        for (Member member : group) {
            if (member.wantsSync()) {
                return true;
            }
        }
        return false;
    }

    /// Where there is no room for all of them together, each is tried alone: on a full disk who deletes must
    /// not fail with who adds.
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
            } catch (RuntimeException | Error e) { // those before it are committed
                member.failure = e;
            }
        }
        return last;
    }

    /// Tells the committers that it is done: all that are left, or those that wait for no sync.
    @SuppressWarnings("ReferenceEquality") // the very thread
    private static void finish(List<Member> group, @Nullable State committed, boolean all) {
        for (Member member : group) {
            if (!member.done && (all || !member.wantsSync())) {
                member.committed = committed;
                member.done = true;
                if (member.thread != Thread.currentThread()) {
                    LockSupport.unpark(member.thread);
                }
            }
        }
    }

    /// Waits a moment for the committers of the last group: the next transaction of each is short, often,
    /// and a sync is long. Without it two groups would take turns, each half as large.
    @SuppressWarnings({"ReferenceEquality", "ThreadPriorityCheck"}) // they may need this very core
    private void gather() {
        int expected = waitingForSyncCount.get();
        for (Member member : lastGroup) {
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

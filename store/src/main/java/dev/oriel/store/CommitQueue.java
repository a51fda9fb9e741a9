package dev.oriel.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Committers who meet. One at a time has the page writer's role; a committer who gets it commits for all
/// that wait by then: with one log record, one publication and one sync. So the busier the log, the
/// less each commit costs, and whoever comes alone waits for nobody.
///
/// Who waits is parked once, and woken when all is done, or when the role is free and it is the first of
/// those who wait. Nobody is forgotten: a committer joins the queue before it tries to get the role, and
/// whoever gives the role up looks into the queue afterwards.
final class CommitQueue {
    /// So many transactions at most have one record.
    private static final int GROUP_MAX = 128;

    /// How long those of the last group are waited for, who were just told that they are done.
    private static final long GATHER_NANOS = 30_000;

    /// After so many times in vain it is tried once in so many groups.
    private static final int VAIN_MAX = 4;

    private static final int GROUPS_A_TRY = 64;

    private final Committer committer;
    private final LongSupplier clock;
    private final Semaphore role = new Semaphore(1);
    private final Queue<Member> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waitingCount = new AtomicInteger();

    /// Whether who has the role keeps it for long: through a sync, or for more than a commit.
    private volatile boolean held;

    // Of the holder of the role.
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
        Member first = waiting.peek();
        if (first != null) {
            LockSupport.unpark(first.thread);
        }
    }

    /// Commits `transaction`, alone or with others, and returns what that led to, as durable as the store
    /// wants it.
    State commit(WriteTransaction transaction) {
        Member own = new Member(transaction);
        waiting.add(own);
        waitingCount.incrementAndGet();
        boolean interrupted = false;
        while (!own.done) {
            if (role.tryAcquire()) {
                lead();
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

    /// Commits `transactions` as those of threads that have met, on the calling thread: so a group is a
    /// function of what is done. Each has its own durability. Nobody else may commit meanwhile.
    State commitTogether(List<WriteTransaction> transactions) {
        List<Member> group = transactions.stream().map(Member::new).toList();
        role.acquireUninterruptibly();
        waiting.addAll(group);
        waitingCount.addAndGet(group.size());
        lead();
        State last = null;
        for (Member member : group) {
            last = result(member);
        }
        return Objects.requireNonNull(last, "nobody to commit");
    }

    private static State result(Member own) {
        switch (own.failure) {
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case null -> {}
            case Throwable e -> throw new IllegalStateException(e);
        }
        State committed = own.committed;
        if (committed == null) {
            throw new IllegalStateException("neither committed nor failed");
        }
        return committed;
    }

    /// Commits those that wait, and makes that durable. The role is kept until then: who comes meanwhile
    /// joins the next group, instead of making a record and a sync for each. Locks are released before.
    private void lead() {
        List<Member> group = List.of();
        State committed = null;
        try {
            group = new ArrayList<>();
            Member first = waiting.peek();
            if (first != null && first.wantsSync()) {
                gather();
            }
            for (Member next = waiting.poll(); next != null; next = waiting.poll()) {
                waitingCount.decrementAndGet();
                group.add(next);
                if (group.size() == GROUP_MAX) {
                    break;
                }
            }
            lastGroup = group;
            if (!group.isEmpty()) {
                committed = commitAll(group);
            }
            if (committed != null) {
                finish(group, committed, false);
                if (group.stream().anyMatch(Member::wantsSync)) {
                    held = true;
                    committer.makeDurable(committed, Durability.SYNC);
                }
            }
        } catch (Throwable e) { // also what nobody foresees: each committer must hear of it
            fail(group, e);
        } finally {
            giveRole();
        }
        finish(group, committed, true);
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
            } catch (LimitException e) {
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
        int expected = waitingCount.get();
        for (Member member : lastGroup) {
            if (member.thread != Thread.currentThread()) {
                expected++;
            }
        }
        groups++;
        boolean hopeless = vain >= VAIN_MAX && groups % GROUPS_A_TRY != 0;
        if (waitingCount.get() == 0 || expected == waitingCount.get() || hopeless) {
            return;
        }
        long end = clock.getAsLong() + GATHER_NANOS;
        while (waitingCount.get() < expected && clock.getAsLong() - end < 0) {
            Thread.yield();
        }
        vain = waitingCount.get() < expected ? vain + 1 : 0;
    }

    private static void fail(List<Member> group, Throwable reason) {
        for (Member member : group) {
            if (member.failure == null && !member.done) {
                member.failure = reason;
            }
        }
    }
}

package dev.oriel.profiler;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Records the calls of one thread at a time as an exact call tree.
///
/// **How it works.** The recorder keeps the stack of the open calls and the time of the last event.
/// At each event, entry or exit, the time since the last one is added to the self time of the call on top of the
/// stack. So there is one clock reading per event, and no nanosecond is counted twice or lost.
///
/// ```
///   events   enter a   enter b   exit b   enter b   exit b   exit a
///   time     0         10        40       45        70       80
///   goes to  |--- a ---|--- b ---|-- a ---|--- b ---|-- a ---|
///   tree     a: calls 1, self 25, total 80
///            `- b: calls 2, self 55, total 55, min 25, max 30
/// ```
/// Totals are not recorded: they are sums over subtrees ([TreeNode]). A call that calls itself directly stays in
/// its node, so that a recursion is one node with many calls, whose total counts the outermost one. An indirect
/// recursion is a path, cut off at a greatest depth, below which everything is one node named `(other)`. The same
/// cut bounds the number of nodes.
///
/// The clock is read after the node of an entry was found and early in an exit. So the cost of recording a call
/// lies mostly in its caller's self time ([Calibration] tells the parts). Filing a call's time (shortest, longest,
/// distribution) is done at the next event, after its clock is read.
///
/// **Counted calls.** A node that is called more than a million times a second and ends within 200 ns is not worth
/// two readings of the clock. From then on its calls are only counted, and their time goes to the nearest timed
/// caller. If it has made no calls until then, it is not even put on the stack: a later call of its own counts for
/// its caller. The check happens when the number of calls is a power of two. The number of the caller's calls is
/// recorded then, too, which tells how the one grows with the other.
///
/// If bytes are measured, counted calls are put on the stack, so that their bytes are known.
///
/// **Processor time** goes to the innermost open call with a measurement. Only calls that last long enough
/// ([#CPU_NANOS_MIN]) are measured; a node whose calls do not is left out from then on.
///
/// **The budget.** A node whose calls are longer or fewer may still cost too much together with others.
/// [ProbeBudget] then has the most called and shortest nodes counted without a time, until recording takes no more
/// than its share. If counting alone costs too much, it leaves out the most called methods: their probes do nothing
/// from then on, in any thread ([Probe#enter]).
///
/// **Tokens.** An entry returns a token of the session, the recorder and a serial number, and an exit looks for it
/// from the top of the stack. The usual exit finds it at once. An exit that finds it further down also ends the
/// calls above, whose exits were forgotten. An exit that does not find it belongs to another session, another
/// thread or an earlier exit, and is ignored. Forgotten exits are counted.
///
/// **Threads and lifetime.** A platform thread holds a recorder from the entry of its first root call until the
/// session or the thread ends. A virtual thread holds it until the root call ends. Then another thread may
/// continue the same tree, which is not bound to a thread: trees are added up in the end. So there are as many
/// trees as concurrent roots, however many threads come and go. Only the holder writes. The thread that ends the
/// session reads without stopping the others. It may miss the event that is being recorded, but never part of a
/// sum. That one call may be missing from its node's distribution, or be there twice.
final class Recorder {
    /// Rate of calls per second above which a node may lose its time; it does below the mean time that follows.
    static final long COUNTED_RATE = 1_000_000;

    static final long COUNTED_NANOS = 200;

    /// Calls that are shorter are not worth two readings of the thread's processor time.
    static final long CPU_NANOS_MIN = 20_000;

    private static final VarHandle LAST = field("lastEvent", long.class);
    private static final VarHandle DEPTH = field("depth", int.class);

    /// Stands for the start of an untimed call: its time goes to the nearest timed caller.
    private static final long UNTIMED = Long.MIN_VALUE;

    final Session session;

    /// Referent of the holder's thread-local, so that a recorder does not outlive its session.
    final WeakReference<Recorder> reference = new WeakReference<>(this);

    final TreeNode root = new TreeNode(null, 0);

    /// The thread that holds this recorder. Written under the session's lock. The thread itself reads it without a
    /// fence, to recognize its own recorder: no other thread ever writes that value.
    @Nullable Thread holder;

    /// Whether the recorder goes back to the session when the root call ends.
    boolean returned;

    private final ProbeBudget budget;

    /// Timed calls until the next check of the budget, and since the last.
    private int untilLook;

    private int lookEvery;

    /// Counted calls until the next check, and since the last.
    private int untilCountedLook;

    private int countedLookEvery;

    private final boolean allocation;
    private final boolean cpuWanted;
    private final boolean histograms;
    private final boolean expand;
    private final boolean autoTune;
    private final int depthMax;
    private final int nodesMax;
    private final long tokenBase;

    /// The node of each open call. A slot is written only if it changes: to store a reference costs the
    /// collector's barrier, and a loop calls the same methods again and again.
    private TreeNode[] nodes = new TreeNode[32];

    /// The token and the start time of each open call.
    private long[] frames = new long[64];

    private int depth;
    private int serial;
    private int nodeCount;
    private long lastEvent;
    private long lastBytes;

    /// Whether the thread's processor time is measured: a virtual thread's is not known.
    private boolean cpu;

    /// Stack position of the innermost call with a measurement of processor time, and for each such call the
    /// position of the next outer one; 0 is the time between root calls.
    private int cpuTop;

    private int[] cpuBelow = new int[32];
    private long lastCpu;
    private long forgotten;

    /// Stack position and duration of the call that ended last; 0 if its node is up to date.
    private int unsettledAt;

    private long unsettledNanos;

    /// `tokenBase` is not 0, and its lower 32 bits are.
    Recorder(Session session, TreeOptions options, ProbeBudget budget, long tokenBase) {
        this.session = session;
        this.budget = budget;
        untilLook = budget.first();
        lookEvery = untilLook;
        untilCountedLook = budget.firstCounted();
        countedLookEvery = untilCountedLook;
        this.tokenBase = tokenBase;
        allocation = options.allocation();
        cpuWanted = options.cpu();
        histograms = options.histograms();
        expand = options.expandRecursion();
        autoTune = options.autoTune();
        depthMax = options.depthMax();
        nodesMax = options.nodesMax();
        Arrays.fill(nodes, root);
    }

    /// Records an entry now; the result is never 0.
    long enter(Probe probe) {
        int at = depth;
        TreeNode top = nodes[at];
        TreeNode node = top.lastChild;
        if (node == null || node.probe != probe) {
            node = find(top, probe);
        }
        if (node.counted) {
            return count(node);
        }
        if (allocation) {
            spendBytes();
        }
        if (cpu && node.cpuTimed) {
            spendCpu();
        }
        return push(top, node, System.nanoTime());
    }

    /// Records an entry at the time `now`.
    long enter(Probe probe, long now) {
        TreeNode top = nodes[depth];
        TreeNode node = find(top, probe);
        return node.counted ? count(node) : push(top, node, now);
    }

    /// Records the exit of the call that got `token`; true if it was the root.
    boolean exit(long token, boolean failed) {
        int at = depth;
        long[] open = frames;
        if (open[2 * at] != token) {
            return exitOther(token, failed);
        }
        long started = open[2 * at + 1];
        TreeNode node = nodes[at];
        if (started != UNTIMED) {
            long now = System.nanoTime();
            if (allocation) {
                spendBytes();
            }
            settle();
            node.selfNanos += now - lastEvent;
            unsettledAt = at;
            unsettledNanos = now - started;
            LAST.setRelease(this, now);
            if (at == cpuTop) {
                leaveCpu();
            }
        } else if (allocation) {
            spendBytes();
        }
        if (failed) {
            node.errors++;
        }
        DEPTH.setRelease(this, at - 1);
        return at == 1;
    }

    /// Records an exit of another call than the one on top.
    private boolean exitOther(long token, boolean failed) {
        if (token == Probe.COUNTED) {
            if (failed) {
                failLeaf();
            }
            return false;
        }
        long now = System.nanoTime();
        if (allocation) {
            spendBytes();
        }
        return exit(token, failed, now);
    }

    /// Records the exit at the time `now` of the call that got `token`; true if it was the root.
    boolean exit(long token, boolean failed, long now) {
        int ended = depth;
        if (token(ended) != token) {
            do {
                if (--ended <= 0) {
                    return false;
                }
            } while (token(ended) != token);
            forgotten += depth - ended;
        }
        settle();
        while (cpuTop >= ended) {
            leaveCpu();
        }
        payer(depth).selfNanos += now - lastEvent;
        for (int i = depth; i >= ended; i--) {
            if (started(i) != UNTIMED) {
                nodes[i].ended(now - started(i), histograms);
            }
        }
        if (failed) {
            nodes[ended].errors++;
        }
        depth = ended - 1;
        LAST.setRelease(this, now);
        return ended == 1;
    }

    /// Adds the figures of the call that ended last to its node. Done at the next event: a reading of the clock
    /// waits for all earlier instructions, and later ones run meanwhile. Also to be called before reading a
    /// recorder that no thread writes any longer.
    void settle() {
        int at = unsettledAt;
        if (at != 0) {
            unsettledAt = 0;
            nodes[at].ended(unsettledNanos, histograms);
        }
    }

    private long token(int at) {
        return frames[2 * at];
    }

    private long started(int at) {
        return frames[2 * at + 1];
    }

    /// The node that the time of the call at `at` goes to: its own, or a timed caller's.
    private TreeNode payer(int at) {
        int timed = at;
        while (frames[2 * timed + 1] == UNTIMED) {
            timed--;
        }
        return nodes[timed];
    }

    /// Begins to record for another thread: earlier time is not counted.
    void begin(long now, Thread thread) {
        lastEvent = now;
        budget.begin(now, root.selfNanos);
        cpu = cpuWanted && !thread.isVirtual();
        if (cpu) {
            lastCpu = ThreadCpu.currentNanos();
        }
        if (allocation) {
            lastBytes = ThreadAllocation.currentBytes();
        }
    }

    /// The time between root calls so far.
    long idleNanos() {
        return root.selfNanos;
    }

    /// Number of open calls.
    int depth() {
        return depth;
    }

    /// Methods that were counted without a time because recording them would have cost too much.
    List<String> leftUntimed() {
        return budget.counted();
    }

    /// Number of calls that ended with an outer one because their own exit never came.
    long forgotten() {
        return forgotten;
    }

    /// The node that time goes to now: the root if no call is open. Any thread.
    TreeNode top() {
        return payer((int) DEPTH.getAcquire(this));
    }

    /// Time of the last event. Any thread.
    long lastEvent() {
        return (long) LAST.getAcquire(this);
    }

    /// Drops open calls, whose thread has ended without leaving them.
    void clearStack() {
        depth = 0;
        cpuTop = 0;
    }

    /// The child of `top` for a call of `probe`; made if there is none.
    private TreeNode find(TreeNode top, Probe probe) {
        if (top.probe == TreeNode.OTHER || (top.probe == probe && !expand)) {
            top.recursive++;
            return top;
        }
        TreeNode child = top.child(probe);
        if (child == null) {
            boolean full = top.depth >= depthMax || nodeCount >= nodesMax;
            Probe known = full ? TreeNode.OTHER : probe;
            child = full ? top.child(known) : null;
            if (child == null) {
                child = top.add(known);
                nodeCount++;
            }
        }
        top.lastChild = child;
        return child;
    }

    /// @param top the node of the caller
    private long push(TreeNode top, TreeNode node, long now) {
        int at = depth;
        int entered = at + 1;
        if (entered == nodes.length) {
            grow();
        }
        settle();
        long[] open = frames;
        TreeNode payer = open[2 * at + 1] == UNTIMED ? payer(at) : top;
        payer.selfNanos += now - lastEvent;
        long token = place(node, entered);
        open[2 * entered + 1] = now;
        long calls = ++node.calls;
        if (cpu && node.cpuTimed) {
            cpuBelow[entered] = cpuTop;
            cpuTop = entered;
        }
        if ((calls & calls - 1) == 0) {
            milestone(node, top, now);
        }
        long begun = --untilLook == 0 ? look(entered, now) : now;
        DEPTH.setRelease(this, entered);
        LAST.setRelease(this, begun);
        return token;
    }

    /// Checks the budget, and returns the time after that. The check may measure the cost of recording, which takes
    /// some 15 ms: that time is idle, and no part of any open call.
    private long look(int entered, long now) {
        lookEvery = budget.look(root, nodeCount, lookEvery, now);
        untilLook = lookEvery;
        spendOnNobody();
        long after = session.clock.getAsLong();
        root.selfNanos += after - now;
        for (int i = 1; i <= entered; i++) {
            if (started(i) != UNTIMED) {
                frames[2 * i + 1] += after - now;
            }
        }
        return after;
    }

    /// Puts `node` on the stack, and returns its token.
    private long place(TreeNode node, int entered) {
        if (nodes[entered] != node) {
            nodes[entered] = node;
        }
        long token = tokenBase | (serial++ & 0xFFFF_FFFFL);
        frames[2 * entered] = token;
        return token;
    }

    /// Records a call that is counted only.
    private long count(TreeNode node) {
        long calls = ++node.calls;
        if ((calls & calls - 1) == 0) {
            node.mark(nodes[depth]);
        }
        if (--untilCountedLook == 0) {
            lookCounted();
        }
        if (allocation) {
            spendBytes();
            return pushCounted(node);
        }
        return node.isLeaf() ? Probe.COUNTED : pushCounted(node);
    }

    /// Checks the budget after many counted calls. The time of the check counts for the innermost call: it is small
    /// beside the counted calls.
    private void lookCounted() {
        long now = session.clock.getAsLong();
        countedLookEvery = budget.lookCounted(root, nodeCount, countedLookEvery, now);
        untilCountedLook = countedLookEvery;
    }

    /// Counts the calls of all nodes so far without timing them. For calibration.
    void countAll() {
        settle();
        countAll(root);
    }

    private static void countAll(TreeNode node) {
        node.forEachChild(child -> {
            if (child.probe != null && child.depth > 1) {
                child.counted = true;
            }
            countAll(child);
        });
    }

    /// Methods whose calls were not counted from some time on.
    List<String> leftOut() {
        return budget.leftOut();
    }

    /// Records that a call counted as a leaf ended by an exception.
    void failLeaf() {
        TreeNode node = nodes[depth].lastChild;
        if (node != null && node.counted) {
            node.errors++;
        }
    }

    private long pushCounted(TreeNode node) {
        int entered = depth + 1;
        if (entered == nodes.length) {
            grow();
        }
        settle(); // its node may be the one whose slot is needed now
        long token = place(node, entered);
        frames[2 * entered + 1] = UNTIMED;
        DEPTH.setRelease(this, entered);
        return token;
    }

    private void milestone(TreeNode node, TreeNode caller, long now) {
        node.mark(caller);
        if (node.cpuTimed && node.tooShortForCpu()) {
            node.cpuTimed = false;
        }
        if (autoTune && node.tooQuick(now)) {
            node.countOnly();
        }
    }

    /// Adds the bytes allocated since the last event to the node that ran.
    private void spendBytes() {
        long bytes = ThreadAllocation.currentBytes();
        nodes[depth].allocatedBytes += bytes - lastBytes;
        lastBytes = bytes;
    }

    /// Excludes the recorder's own processor time from the program's.
    private void spendOnNobody() {
        if (allocation) {
            lastBytes = ThreadAllocation.currentBytes();
        }
        if (cpu) {
            lastCpu = ThreadCpu.currentNanos();
        }
    }

    /// Adds the processor time since the last reading to the measured call.
    private void spendCpu() {
        long now = ThreadCpu.currentNanos();
        nodes[cpuTop].cpuNanos += now - lastCpu;
        lastCpu = now;
    }

    /// Ends the innermost call with a measurement of processor time.
    private void leaveCpu() {
        if (cpuTop > 0) {
            spendCpu();
            nodes[cpuTop].cpuCalls++;
            cpuTop = cpuBelow[cpuTop];
        }
    }

    /// Adds the processor time of the holding thread since the last call. Called by readers of the recorder while
    /// that thread lives.
    void spendOpenCpu() {
        Thread thread = holder;
        if (cpu && thread != null && thread.isAlive()) {
            long now = ThreadCpu.nanos(thread);
            if (now > lastCpu) {
                nodes[cpuTop].cpuNanos += now - lastCpu;
                lastCpu = now;
            }
        }
    }

    private void grow() {
        int old = nodes.length;
        TreeNode[] wider = Arrays.copyOf(nodes, 2 * old);
        Arrays.fill(wider, old, 2 * old, root);
        cpuBelow = Arrays.copyOf(cpuBelow, 2 * old);
        long[] widerFrames = Arrays.copyOf(frames, 4 * old);
        VarHandle.releaseFence();
        frames = widerFrames;
        nodes = wider;
    }

    private static VarHandle field(String name, Class<?> type) {
        try {
            return MethodHandles.lookup().findVarHandle(Recorder.class, name, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}

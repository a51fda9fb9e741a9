package dev.oriel.profiler;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Records the calls of one thread at a time as an exact call tree.
///
/// **How it works.** The recorder keeps the stack of the open calls and the time of the last event.
/// At each event, entry or exit, the time since the last one is added to the self time of the call
/// on top of the stack: one clock reading an event, and no nanosecond is counted twice or lost.
///
/// ```
///   events   enter a   enter b   exit b   enter b   exit b   exit a
///   time     0         10        40       45        70       80
///   goes to  |--- a ---|--- b ---|-- a ---|--- b ---|-- a ---|
///   tree     a: calls 1, self 25, total 80
///            `- b: calls 2, self 55, total 55, min 25, max 30
/// ```
/// Totals are not recorded: they are sums over subtrees ([TreeNode]). A call that calls itself
/// directly stays in its node, so that a recursion is one node with many calls, whose total counts
/// the outermost one; a recursion by way of others is a path, cut off at a greatest depth, below
/// which everything is one node named `(other)`. The same cut bounds the number of nodes.
///
/// The clock is read after the node of an entry was found and early in an exit: the cost of recording
/// a call lies mostly in its caller's self time ([Calibration] tells the parts).
///
/// **Counted calls.** A node that is called more than a million times a second and ends within 200 ns
/// is not worth two readings of the clock: from then on its calls are counted alone, and their time
/// goes to the nearest timed caller. If it has made no calls until then, it is not even put on the
/// stack: should it make one later, that counts for its caller. The check happens when the number of calls is a power of two,
/// as does the mark of how often the caller had been called by then, which tells how the calls of the
/// one grow with those of the other.
///
/// **Tokens.** An entry hands out a token of the session, the recorder and a serial number, and an
/// exit looks for it from the top of the stack. The usual exit finds it at once. One that finds it
/// further down ends what lies above, whose exits were forgotten. One that finds nothing belongs to
/// another session, another thread or an earlier exit, and is ignored. Forgotten exits are counted.
///
/// **Threads and lifetime.** A thread holds a recorder from the entry of a root call: a platform
/// thread until the session or the thread ends, a virtual thread until the root call ends. Then
/// another thread may go on with the same tree, which belongs to nobody: trees are added up in the
/// end. So there are as many trees as roots at one time, however many threads come and go. Only the
/// holder writes. The thread that ends the session reads without stopping the others: it may miss
/// the event that is being recorded, never part of a sum.
final class Recorder {
    /// Calls a second above which a node may become one that is counted only, and the mean time
    /// below which it does.
    static final long COUNTED_RATE = 1_000_000;

    static final long COUNTED_NANOS = 200;

    private static final VarHandle LAST = field("lastEvent", long.class);
    private static final VarHandle DEPTH = field("depth", int.class);

    /// In place of the start of a call that has none.
    private static final long UNTIMED = Long.MIN_VALUE;

    final Session session;

    /// What the holder's thread-local refers to, so that a recorder does not outlive its session.
    final WeakReference<Recorder> reference = new WeakReference<>(this);

    final TreeNode root = new TreeNode(null, 0);

    /// The thread that holds this recorder; guarded by the session's lock.
    @Nullable Thread holder;

    /// Whether the recorder goes back to the session when the root call ends.
    boolean returned;

    private final TreeOptions options;
    private final boolean allocation;
    private final boolean histograms;
    private final long tokenBase;
    private TreeNode[] nodes = new TreeNode[32];

    /// For each open call the node that its time goes to: its own, or that of a timed caller.
    private TreeNode[] payers = new TreeNode[32];

    private long[] tokens = new long[32];
    private long[] starts = new long[32];
    private int depth;
    private int serial;
    private int nodeCount;
    private long lastEvent;
    private long lastBytes;
    private long forgotten;

    /// `tokenBase` is not 0, and its lower 32 bits are.
    Recorder(Session session, TreeOptions options, long tokenBase) {
        this.session = session;
        this.options = options;
        this.tokenBase = tokenBase;
        allocation = options.allocation();
        histograms = options.histograms();
        Arrays.fill(nodes, root);
        Arrays.fill(payers, root);
    }

    /// Records an entry now; the result is never 0.
    long enter(Probe probe) {
        TreeNode node = descend(probe);
        if (node.counted) {
            return node.isLeaf() ? countLeaf(node, nodes[depth]) : pushCounted(node);
        }
        if (allocation) {
            spendBytes();
        }
        return push(node, System.nanoTime());
    }

    /// Records an entry at the time `now`.
    long enter(Probe probe, long now) {
        return push(descend(probe), now);
    }

    /// Records the exit of the call that got `token`; true if it was the root's.
    boolean exit(long token, boolean failed) {
        if (token == Probe.COUNTED) {
            if (failed) {
                failLeaf();
            }
            return false;
        }
        int at = depth;
        if (tokens[at] != token || starts[at] != UNTIMED) {
            long now = System.nanoTime();
            if (allocation) {
                spendBytes();
            }
            return exit(token, failed, now);
        }
        if (failed) {
            nodes[at].errors++;
        }
        DEPTH.setRelease(this, at - 1);
        return at == 1;
    }

    /// Records the exit at the time `now` of the call that got `token`; true if it was the root's.
    boolean exit(long token, boolean failed, long now) {
        int ended = depth;
        if (tokens[ended] != token) {
            do {
                if (--ended <= 0) {
                    return false;
                }
            } while (tokens[ended] != token);
            forgotten += depth - ended;
        }
        payers[depth].selfNanos += now - lastEvent;
        for (int i = depth; i >= ended; i--) {
            if (starts[i] != UNTIMED) {
                nodes[i].ended(now - starts[i], histograms);
            }
        }
        if (failed) {
            nodes[ended].errors++;
        }
        depth = ended - 1;
        LAST.setRelease(this, now);
        return ended == 1;
    }

    /// Begins to record for another thread: what passed before is nobody's.
    void begin(long now) {
        lastEvent = now;
        if (allocation) {
            lastBytes = ThreadAllocation.currentBytes();
        }
    }

    /// The time between root calls so far.
    long idleNanos() {
        return root.selfNanos;
    }

    /// How many calls are open.
    int depth() {
        return depth;
    }

    /// How many calls ended with an outer one because their own exit never came.
    long forgotten() {
        return forgotten;
    }

    /// The node that time goes to now: the root if no call is open. Any thread.
    TreeNode top() {
        return payers[(int) DEPTH.getAcquire(this)];
    }

    /// When the last event happened. Any thread.
    long lastEvent() {
        return (long) LAST.getAcquire(this);
    }

    /// Forgets open calls, whose thread has ended without leaving them.
    void clearStack() {
        depth = 0;
    }

    private TreeNode descend(Probe probe) {
        TreeNode top = nodes[depth];
        if (top.probe == probe && !options.expandRecursion()) {
            top.recursive++;
            return top;
        }
        TreeNode last = top.lastChild;
        if (last != null && last.probe == probe) {
            return last;
        }
        return find(top, probe);
    }

    private TreeNode find(TreeNode top, Probe probe) {
        if (top.probe == TreeNode.OTHER) {
            top.recursive++;
            return top;
        }
        TreeNode child = top.child(probe);
        if (child == null) {
            boolean full = top.depth >= options.depthMax() || nodeCount >= options.nodesMax();
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

    private long push(TreeNode node, long now) {
        int entered = depth + 1;
        if (entered == nodes.length) {
            grow();
        }
        long token = tokenBase | (serial++ & 0xFFFF_FFFFL);
        payers[depth].selfNanos += now - lastEvent;
        nodes[entered] = node;
        payers[entered] = node;
        tokens[entered] = token;
        starts[entered] = now;
        long calls = ++node.calls;
        if ((calls & calls - 1) == 0) {
            milestone(node, nodes[depth], now);
        }
        depth = entered;
        LAST.setRelease(this, now);
        return token;
    }

    private static long countLeaf(TreeNode node, TreeNode caller) {
        long calls = ++node.calls;
        node.untimed++;
        if ((calls & calls - 1) == 0) {
            node.mark(caller);
        }
        return Probe.COUNTED;
    }

    /// A call that was counted as a leaf ended by an exception.
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
        long token = tokenBase | (serial++ & 0xFFFF_FFFFL);
        nodes[entered] = node;
        payers[entered] = payers[depth];
        tokens[entered] = token;
        starts[entered] = UNTIMED;
        long calls = ++node.calls;
        node.untimed++;
        if ((calls & calls - 1) == 0) {
            node.mark(nodes[depth]);
        }
        DEPTH.setRelease(this, entered);
        return token;
    }

    private void milestone(TreeNode node, TreeNode caller, long now) {
        node.mark(caller);
        if (options.autoTune()) {
            node.counted = node.tooQuick(now);
        }
    }

    /// Adds the bytes allocated since the last event to the node that ran.
    private void spendBytes() {
        long bytes = ThreadAllocation.currentBytes();
        payers[depth].allocatedBytes += bytes - lastBytes;
        lastBytes = bytes;
    }

    private void grow() {
        int old = nodes.length;
        TreeNode[] wider = Arrays.copyOf(nodes, 2 * old);
        Arrays.fill(wider, old, 2 * old, root);
        TreeNode[] widerPayers = Arrays.copyOf(payers, 2 * old);
        Arrays.fill(widerPayers, old, 2 * old, root);
        tokens = Arrays.copyOf(tokens, 2 * old);
        starts = Arrays.copyOf(starts, 2 * old);
        VarHandle.releaseFence();
        nodes = wider;
        payers = widerPayers;
    }

    private static VarHandle field(String name, Class<?> type) {
        try {
            return MethodHandles.lookup().findVarHandle(Recorder.class, name, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}

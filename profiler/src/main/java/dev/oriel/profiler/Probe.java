package dev.oriel.profiler;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// One place in a program whose calls are counted and timed while a profile runs. Every layer of the engine, and
/// every watched method, reports through this small interface.
///
/// ```java
/// private static final Probe COMMIT = Probe.of(Writer.class, "commit");
///
/// long entered = COMMIT.enter();
/// try {
///     ...
/// } finally {
///     COMMIT.exit(entered);
/// }
/// ```
/// While no profile runs, `enter` reads one static flag and returns 0, and `exit` compares with 0.
/// `enter` and `exit` are called by one thread, properly nested. A profile that starts or stops in between does no
/// harm: an exit whose entry was not recorded does nothing. Neither does a second exit, or one in another thread.
/// An exit that was forgotten ends with the next outer one.
///
/// Two probes of the same name are two places; reports add them up if they have the same callers. A probe lives as
/// long as the class that holds it, is immutable, and may be used by any number of threads.
public final class Probe {
    /// Whether a profile runs. Plain on purpose: a thread may see a change some instructions late, which only
    /// shifts the edge of a profile. In return a read costs nothing.
    static boolean on;

    /// Token of an entry that was counted and needs no exit.
    static final long COUNTED = 1;

    /// Names of watched methods that have one of their own, by class and method.
    private static final Map<String, String> RENAMED = new ConcurrentHashMap<>();

    private static final AtomicInteger NUMBERS = new AtomicInteger();

    /// Spreads probes over the hash tables of [TreeNode].
    final int hash = NUMBERS.incrementAndGet() * 0x9E3779B9;

    /// Whether its calls are not recorded, because that costs too much. Plain: a thread may see a change late.
    boolean leftOut;

    private final String owner;
    private final String method;

    private Probe(String owner, String method) {
        this.owner = owner;
        this.method = method;
    }

    /// The probe of the method `method` of `owner`. Meant for `static final` fields.
    public static Probe of(Class<?> owner, String method) {
        return new Probe(owner.getName(), method);
    }

    /// A probe whose owner is not a class object: the prefix of `@Watched(prefix)`, or the name of a class.
    static Probe named(String owner, String method) {
        return new Probe(owner, method);
    }

    /// Notes that the probe of a method has another name than it.
    static void rename(String method, String name) {
        RENAMED.put(method, name);
    }

    /// The methods whose probes have another name, by class and method.
    static Map<String, String> renamed() {
        return Map.copyOf(RENAMED);
    }

    /// Reports that the method begins; the result is for [#exit(long)].
    public long enter() {
        return on && !leftOut ? Session.enter(this) : 0;
    }

    /// Reports that the method ends, normally or not. `entered` is the token that [#enter()] returned.
    public void exit(long entered) {
        if ((entered & ~COUNTED) != 0) {
            Session.exit(entered, false);
        }
    }

    /// Reports that the method ends by an exception; in place of [#exit(long)].
    public void fail(long entered) {
        if (entered != 0) {
            Session.exit(entered, true);
        }
    }

    /// `owner.method`.
    @Override
    public String toString() {
        return owner.isEmpty() ? method : owner + "." + method;
    }
}

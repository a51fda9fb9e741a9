package dev.oriel.server;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Delays of logins that follow failed ones, so that passwords cannot be guessed fast.
///
/// After some failures each one doubles the delay. The delay comes before the password is checked, so that
/// concurrent connections gain nothing: logins from one address take turns, each after the delay of the address.
/// The delay of a name is short, and needs no turn, so that guessing by strangers delays its owner by a second at
/// most. Failures are forgotten after some quiet minutes, a name's also with its next login.
///
/// Safe for use by any number of threads.
final class LoginDelays {
    /// Failures without a delay.
    private static final int FREE = 3;

    private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long ADDRESS_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);
    private static final long NAME_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

    /// Greatest delay; a login whose turn is later is refused at once.
    private static final long TURN_NANOS_MAX = TimeUnit.SECONDS.toNanos(10);

    private static final long FORGOTTEN_NANOS = TimeUnit.MINUTES.toNanos(10);

    /// Greatest number of remembered addresses, and of names.
    private static final int KEPT_MAX = 10_000;

    private static final int KEY_CHARS_MAX = 100;

    private final LongSupplier nanoTime;
    private final Map<String, Failures> addresses = new Kept(); // guarded by this
    private final Map<String, Failures> names = new Kept(); // guarded by this
    private final CountDownLatch closed = new CountDownLatch(1);

    /// Failed logins from an address or for a name.
    private static final class Failures {
        private int count;
        private long lastNanos;

        /// Time of the next turn of the address.
        private long turnNanos;

        private Failures(long now) {
            lastNanos = now;
            turnNanos = now;
        }

        private long delay(long max) {
            int doublings = count - FREE;
            return doublings < 0 ? 0 : Math.min(max, FIRST_NANOS << Math.min(doublings, 16));
        }
    }

    /// A map of the most recently failed ones.
    private static final class Kept extends LinkedHashMap<String, Failures> {
        private static final long serialVersionUID = 1;

        private Kept() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Failures> eldest) {
            return size() > KEPT_MAX;
        }
    }

    LoginDelays(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /// Waits until a login as `name` from `address` may be checked; false if it is refused unseen.
    boolean await(String address, String name) {
        long nanos = reserve(address, name);
        if (nanos <= 0) {
            return nanos == 0;
        }
        try {
            return !closed.await(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// Takes the next turn; returns the nanoseconds until then, or -1 if there are too many before it.
    synchronized long reserve(String address, String name) {
        long now = nanoTime.getAsLong();
        Failures ofName = known(names, key(name), now);
        long wait = ofName == null ? 0 : ofName.delay(NAME_NANOS_MAX);
        Failures ofAddress = known(addresses, address, now);
        if (ofAddress == null) {
            return wait;
        }
        long delay = ofAddress.delay(ADDRESS_NANOS_MAX);
        if (delay == 0) {
            return wait;
        }
        long turn = Math.max(now, ofAddress.turnNanos) + delay;
        if (turn - now > TURN_NANOS_MAX) {
            return -1;
        }
        ofAddress.turnNanos = turn;
        return Math.max(wait, turn - now);
    }

    /// Records a failed login.
    synchronized void failed(String address, String name) {
        long now = nanoTime.getAsLong();
        count(addresses, address, now);
        count(names, name, now);
    }

    private static void count(Map<String, Failures> all, String text, long now) {
        String key = key(text);
        Failures failures = known(all, key, now);
        if (failures == null) {
            failures = new Failures(now);
            all.put(key, failures);
        }
        failures.count++;
        failures.lastNanos = now;
    }

    /// A key of limited length: strangers choose names, which must not fill the memory.
    private static String key(String text) {
        return text.substring(0, Math.min(text.length(), KEY_CHARS_MAX));
    }

    private static @Nullable Failures known(Map<String, Failures> all, String key, long now) {
        Failures failures = all.get(key);
        if (failures != null && now - failures.lastNanos > FORGOTTEN_NANOS) {
            all.remove(key);
            return null;
        }
        return failures;
    }

    /// Records a successful login of `name`.
    synchronized void succeeded(String name) {
        names.remove(key(name));
    }

    /// Refuses the waiting logins, because the server ends.
    void close() {
        closed.countDown();
    }
}

package dev.oriel.sql.watch;

import dev.oriel.sql.text.Fingerprint;
import dev.oriel.sql.text.Lexer;
import dev.oriel.sql.text.SqlText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/// The kinds of statements run, most recently prepared ones, bounded in their number and in the length of their
/// texts. The counters of evicted kinds are kept in one sum. Safe for use by any number of threads. It is accessed
/// when a session first prepares a kind of statement, not when it runs.
public final class StatementTable {
    static final int STATEMENTS_MAX = 5_000;
    static final int TEXT_CHARS_MAX = 2_000_000;

    /// Maximum number of characters of the plans of all kinds.
    static final int PLAN_CHARS_MAX = 4_000_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final LinkedHashMap<Long, StatementEntry> entries =
            new LinkedHashMap<>(64, 0.75f, true);
    private StatementEntry forgotten =
            new StatementEntry(this, 0, "(statements that were forgotten)");
    private long forgottenCount;
    private int textChars;
    private final AtomicInteger planChars = new AtomicInteger();

    /// A kind of statement with the sum of its counters.
    public record Totals(StatementEntry entry, StatementCounts counts, String errors) {}

    /// The entry of a kind, created from `source` if there is none.
    StatementEntry entry(long fingerprint, SqlText source) {
        lock.lock();
        try {
            StatementEntry found = entries.get(fingerprint);
            if (found != null) {
                return found;
            }
        } finally {
            lock.unlock();
        }
        String text = Fingerprint.text(Lexer.tokens(source));
        lock.lock();
        try {
            StatementEntry entry = entries.get(fingerprint);
            if (entry == null) {
                entry = new StatementEntry(this, fingerprint, text);
                entries.put(fingerprint, entry);
                textChars += text.length();
                shrink();
            }
            return entry;
        } finally {
            lock.unlock();
        }
    }

    /// Whether this kind was met and not evicted.
    boolean knows(long fingerprint) {
        lock.lock();
        try {
            return entries.containsKey(fingerprint);
        } finally {
            lock.unlock();
        }
    }

    private void shrink() {
        Iterator<StatementEntry> eldest = entries.values().iterator();
        while (entries.size() > STATEMENTS_MAX || textChars > TEXT_CHARS_MAX) {
            StatementEntry entry = eldest.next();
            eldest.remove();
            textChars -= entry.text().length();
            entry.endPlans();
            forgotten.past.add(entry.past);
            forgottenCount++;
        }
    }

    /// Adds the counters evicted by a session.
    void fold(StatementCounts counts) {
        lock.lock();
        try {
            counts.folded = true;
            StatementEntry known = entries.get(counts.entry.fingerprint());
            (known == null ? forgotten : known).past.add(counts);
        } finally {
            lock.unlock();
        }
    }

    void failed(StatementEntry entry, String state) {
        lock.lock();
        try {
            entry.failed(state);
        } finally {
            lock.unlock();
        }
    }

    /// All kinds with the sums of their counters, including `live`. The sum of evicted kinds comes last, if there
    /// are any.
    List<Totals> totals(Iterable<StatementCounts> live) {
        lock.lock();
        try {
            Map<StatementEntry, StatementCounts> sums = new HashMap<>();
            for (StatementCounts counts : live) {
                if (!counts.folded) {
                    StatementEntry known = entries.get(counts.entry.fingerprint());
                    sums.computeIfAbsent(known == null ? forgotten : known, StatementCounts::new)
                            .add(counts);
                }
            }
            List<Totals> totals = new ArrayList<>();
            for (StatementEntry entry : entries.values()) {
                totals.add(totals(entry, sums));
            }
            if (forgottenCount > 0) {
                totals.add(totals(forgotten, sums));
            }
            return totals;
        } finally {
            lock.unlock();
        }
    }

    private static Totals totals(StatementEntry entry, Map<StatementEntry, StatementCounts> sums) {
        StatementCounts sum = new StatementCounts(entry);
        sum.add(entry.past);
        StatementCounts live = sums.get(entry);
        if (live != null) {
            sum.add(live);
        }
        return new Totals(entry, sum, entry.errorText());
    }

    /// Whether the text of a plan of `chars` characters can be kept; then it counts until [#forgetPlan].
    boolean keepPlan(int chars) {
        if (planChars.addAndGet(chars) <= PLAN_CHARS_MAX) {
            return true;
        }
        planChars.addAndGet(-chars);
        return false;
    }

    void forgetPlan(int chars) {
        planChars.addAndGet(-chars);
    }

    /// Clears the table.
    void clear() {
        lock.lock();
        try {
            entries.values().forEach(StatementEntry::endPlans);
            entries.clear();
            textChars = 0;
            forgottenCount = 0;
            forgotten = new StatementEntry(this, 0, forgotten.text());
        } finally {
            lock.unlock();
        }
    }

    public int size() {
        lock.lock();
        try {
            return entries.size();
        } finally {
            lock.unlock();
        }
    }

    int textChars() {
        lock.lock();
        try {
            return textChars;
        } finally {
            lock.unlock();
        }
    }
}

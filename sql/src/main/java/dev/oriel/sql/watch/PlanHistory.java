package dev.oriel.sql.watch;

import dev.oriel.sql.bind.Compiler;
import dev.oriel.sql.planner.PlanText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The plans that one kind of statement has had, up to a bound. Safe for use by any number of threads.
///
/// Each session tells it about once a second which plan it ran. Plans are compared by their texts without literals,
/// so that a plan for other values is the same plan.
public final class PlanHistory {
    /// Maximum number of plans kept; the one not seen for the longest time makes room.
    static final int PLANS_MAX = 8;

    static final int PLAN_CHARS_MAX = 4_000;

    private final StatementTable table;
    private final List<Seen> plans = new ArrayList<>();
    private @Nullable Seen current;

    /// Identity of the compiled statement of `current`.
    private int compiledNumber;

    /// Whether the kind of statement was forgotten: a session may still run it.
    private boolean ended;

    private long changes;
    private long changedMillis;

    PlanHistory(StatementTable table) {
        this.table = table;
    }

    /// A plan and the timed executions seen with it.
    private static final class Seen {
        /// A number of the text without literals.
        private final long shape;

        private final String text;
        private final long firstMillis;
        private long lastMillis;
        private long executions;
        private long nanos;

        private Seen(long shape, String text, long millis) {
            this.shape = shape;
            this.text = text;
            this.firstMillis = millis;
        }
    }

    /// A plan of a kind of statement.
    ///
    /// @param text the operators; empty if the texts of all plans together have become too long
    /// @param current whether it was the last one seen
    /// @param executions number of timed executions seen with it
    public record Known(
            String text,
            boolean current,
            long firstMillis,
            long lastMillis,
            long executions,
            double meanNanos) {}

    /// Notes timed executions of `compiled`, which took `nanos` together.
    synchronized void ran(Compiler.Compiled compiled, long executions, long nanos) {
        if (ended) {
            return;
        }
        int number = System.identityHashCode(compiled);
        Seen seen = current;
        if (seen == null || number != compiledNumber) {
            compiledNumber = number;
            seen = look(compiled);
        }
        seen.lastMillis = System.currentTimeMillis();
        seen.executions += executions;
        seen.nanos += nanos;
    }

    private Seen look(Compiler.Compiled compiled) {
        String text = String.join("\n", PlanText.of(compiled.command()));
        long shape = shape(text);
        long now = System.currentTimeMillis();
        Seen found = null;
        for (Seen each : plans) {
            if (each.shape == shape) {
                found = each;
            }
        }
        if (found == null) {
            found = new Seen(shape, kept(text), now);
            if (plans.size() == PLANS_MAX) {
                forgetOldest();
            }
            plans.add(found);
        }
        if (current != null && current.shape != shape) {
            changes++;
            changedMillis = now;
        }
        current = found;
        return found;
    }

    private String kept(String text) {
        String cut =
                text.length() <= PLAN_CHARS_MAX ? text : text.substring(0, PLAN_CHARS_MAX) + "...";
        return table.keepPlan(cut.length()) ? cut : "";
    }

    private void forgetOldest() {
        Seen oldest = plans.getFirst();
        for (Seen each : plans) {
            if (each.lastMillis < oldest.lastMillis) {
                oldest = each;
            }
        }
        plans.remove(oldest);
        table.forgetPlan(oldest.text.length());
    }

    /// Forgets all plans, and keeps none from now on.
    synchronized void end() {
        ended = true;
        for (Seen each : plans) {
            table.forgetPlan(each.text.length());
        }
        plans.clear();
        current = null;
    }

    /// A number of `text` without quoted texts and numbers: FNV-1a of 64 bits.
    private static long shape(String text) {
        long hash = 0xcbf29ce484222325L;
        boolean digits = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean digit = Character.isDigit(c);
            if (digit && digits) {
                continue;
            }
            digits = digit;
            if (c == '\'') {
                int end = text.indexOf('\'', i + 1);
                i = end < 0 ? text.length() : end;
            }
            hash = (hash ^ (digit ? '#' : c)) * 0x100000001b3L;
        }
        return hash;
    }

    /// Number of times that the plan was another one than before.
    public synchronized long changes() {
        return changes;
    }

    /// Time of the last change, since 1970; 0 if there was none.
    public synchronized long changedMillis() {
        return changedMillis;
    }

    /// The plans kept, oldest first.
    @SuppressWarnings("ReferenceEquality") // the very plan
    public synchronized List<Known> plans() {
        List<Known> known = new ArrayList<>();
        for (Seen each : plans) {
            known.add(
                    new Known(
                            each.text,
                            each == current,
                            each.firstMillis,
                            each.lastMillis,
                            each.executions,
                            each.executions == 0 ? 0 : (double) each.nanos / each.executions));
        }
        return known;
    }
}

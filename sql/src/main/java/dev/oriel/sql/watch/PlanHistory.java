package dev.oriel.sql.watch;

import dev.oriel.sql.bind.Compiler;
import dev.oriel.sql.planner.PlanText;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The plans that one kind of statement has had, up to a bound. Safe for use by any number of threads.
///
/// It looks at timed executions, at most once a second at those whose plan was made anew: their text is compared
/// without literals, so that a plan for other values is the same plan.
public final class PlanHistory {
    /// Maximum number of plans kept; the one not seen for the longest time makes room.
    static final int PLANS_MAX = 8;

    static final int PLAN_CHARS_MAX = 4_000;
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final StatementTable table;
    private final List<Seen> plans = new ArrayList<>();
    private @Nullable Seen current;

    /// Identity of the compiled statement of `current`.
    private int compiledNumber;

    private boolean looked;
    private long lookedTick;
    private long changes;
    private long changedMillis;

    PlanHistory(StatementTable table) {
        this.table = table;
    }

    /// A plan and the timed executions seen with it.
    private static final class Seen {
        private final String shape;
        private final String text;
        private final long firstMillis;
        private long lastMillis;
        private long executions;
        private long nanos;

        private Seen(String shape, String text, long millis) {
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

    /// Notes a timed execution that took `nanos` and ended at `tick` of the coarse clock.
    synchronized void ran(Compiler.Compiled compiled, long nanos, long tick) {
        int number = System.identityHashCode(compiled);
        Seen seen = current;
        if (seen == null || number != compiledNumber) {
            if (looked && tick - lookedTick < LOOK_NANOS) {
                return;
            }
            looked = true;
            lookedTick = tick;
            compiledNumber = number;
            seen = look(compiled);
        }
        seen.executions++;
        seen.nanos += nanos;
    }

    private Seen look(Compiler.Compiled compiled) {
        String text = String.join("\n", PlanText.of(compiled.command()));
        String shape = shape(text);
        long now = System.currentTimeMillis();
        Seen found = null;
        for (Seen each : plans) {
            if (each.shape.equals(shape)) {
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
        if (current != null && !current.shape.equals(shape)) {
            changes++;
            changedMillis = now;
        }
        found.lastMillis = now;
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

    /// Forgets all plans.
    synchronized void clear() {
        for (Seen each : plans) {
            table.forgetPlan(each.text.length());
        }
        plans.clear();
        current = null;
    }

    /// `text` without quoted texts and numbers.
    private static String shape(String text) {
        StringBuilder shape = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\'') {
                int end = text.indexOf('\'', i + 1);
                i = end < 0 ? text.length() : end;
                shape.append('?');
            } else if (Character.isDigit(c)) {
                if (shape.isEmpty() || shape.charAt(shape.length() - 1) != '#') {
                    shape.append('#');
                }
            } else {
                shape.append(c);
            }
        }
        return shape.toString();
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

package dev.oriel.sql.bind;

import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.ExtractedLiterals;
import dev.oriel.sql.plan.LiteralBindings;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.PlanParts;
import dev.oriel.sql.planner.Estimate;
import dev.oriel.sql.planner.PlanText;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.text.Token;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.statistics.Statistics;
import dev.oriel.table.value.Tuple;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A plan shared by all statements of one shape that differ only in extracted literals. Line by line it equals the plan
/// of its first statement alone, so the output of EXPLAIN holds for all. Immutable; safe for use by any number of
/// threads.
public final class PlanTemplate {
    /// Most rows that one node of a shared plan may read. With more, a plan for the statement itself pays off:
    /// comparing with constants is faster than with parameters, and planning costs little in comparison.
    private static final double ROWS_MAX = 2_000;

    private final Compiler.Compiled compiled;
    private final List<Token> tokens;
    private final ExtractedLiterals taken;

    /// Indexes of the literals that are part of the plan.
    private final int[] left;

    private PlanTemplate(
            Compiler.Compiled compiled, List<Token> tokens, ExtractedLiterals taken, int[] left) {
        this.compiled = compiled;
        this.tokens = tokens;
        this.taken = taken;
        this.left = left;
    }

    /// A template of `general`, compiled from `request` without the literals `taken`. Null if its plan differs from
    /// `exact`, or reads many rows.
    public static @Nullable PlanTemplate of(
            Compiler.Request request,
            Compiler.Compiled general,
            Compiler.Compiled exact,
            ExtractedLiterals taken,
            @Nullable Statistics statistics) {
        boolean same =
                !taken.isEmpty()
                        && !taken.isNeeded()
                        && general.columns().equals(exact.columns())
                        && PlanText.of(general.command()).equals(PlanText.of(exact.command()));
        taken.kept();
        Estimate estimate =
                TableExpressions.estimate(statistics == null ? table -> null : statistics::of);
        return same && isShort(general.command(), estimate)
                ? new PlanTemplate(general, request.tokens(), taken, taken.left())
                : null;
    }

    private static boolean isShort(Command command, Estimate estimate) {
        return switch (command) {
            case Command.Query query -> isShort(query.plan(), estimate);
            case Command.LockingQuery query -> isShort(query.plan(), estimate);
            case Command.InsertRows insert -> true;
            case Command.InsertQuery insert -> isShort(insert.source(), estimate);
            case Command.Update update -> isShort(update.scan(), estimate);
            case Command.Delete delete -> isShort(delete.scan(), estimate);
            case Command.Joined joined -> isShort(joined.source(), estimate);
            case Command.Instead instead -> false;
            case Command.CopyFrom copy -> false;
            case Command.ExternalChange change -> false;
            case Command.CopyTo copy -> false;
            case Command.Definition definition -> false;
            case Command.Control control -> false;
            case Command.Explain explain -> false;
            case Command.Chain chain -> false;
            case Command.Block block -> false;
        };
    }

    private static boolean isShort(Plan plan, Estimate estimate) {
        return !PlanParts.any(plan, part -> estimate.rows(part) > ROWS_MAX);
    }

    public boolean isGoodFor(Catalog catalog) {
        return compiled.isGoodFor(catalog);
    }

    /// This plan for the statement with tokens `now`, which has the same shape; null if it needs another.
    public Compiler.@Nullable Compiled of(SqlText source, List<Token> now) {
        for (int i : left) {
            if (!tokens.get(i).text().equals(now.get(i).text())) {
                return null;
            }
        }
        Tuple values = taken.values(source, now);
        return values == null
                ? null
                : compiled.of(source, new LiteralBindings(values, compiled.source(), tokens, now));
    }

    /// Hash of the literals that are part of the plan.
    public int leftHash(List<Token> now) {
        int hash = 1;
        for (int i : left) {
            hash = 31 * hash + now.get(i).text().hashCode();
        }
        return hash;
    }
}

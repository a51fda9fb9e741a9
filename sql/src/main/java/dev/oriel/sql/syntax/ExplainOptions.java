package dev.oriel.sql.syntax;

/// Options of EXPLAIN.
///
/// @param analyze whether to run the statement
/// @param profile whether to sample methods while it runs
/// @param timing whether to time operators, not only count their rows
/// @param verbose whether to list the rewrites made by the planner's rules
public record ExplainOptions(
        boolean analyze, boolean profile, boolean timing, boolean verbose, Format format) {
    public static final ExplainOptions PLAN =
            new ExplainOptions(false, false, true, false, Format.TEXT);

    ExplainOptions withAnalyze(boolean wanted) {
        return new ExplainOptions(wanted, profile, timing, verbose, format);
    }

    /// A profile needs a run, so it implies ANALYZE.
    ExplainOptions withProfile(boolean wanted) {
        return new ExplainOptions(analyze || wanted, wanted, timing, verbose, format);
    }

    ExplainOptions withTiming(boolean wanted) {
        return new ExplainOptions(analyze, profile, wanted, verbose, format);
    }

    ExplainOptions withVerbose(boolean wanted) {
        return new ExplainOptions(analyze, profile, timing, wanted, format);
    }

    ExplainOptions withFormat(Format wanted) {
        return new ExplainOptions(analyze, profile, timing, verbose, wanted);
    }

    public enum Format {
        TEXT,
        JSON,
        HTML
    }
}

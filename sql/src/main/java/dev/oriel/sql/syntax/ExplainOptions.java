package dev.oriel.sql.syntax;

/// What EXPLAIN is to do.
///
/// @param analyze whether to run the statement
/// @param profile whether to look into its methods while it runs
/// @param timing whether to time operators; else they are only counted
/// @param verbose whether to say what the planner's rules have done
public record ExplainOptions(
        boolean analyze, boolean profile, boolean timing, boolean verbose, Format format) {
    public static final ExplainOptions PLAN =
            new ExplainOptions(false, false, true, false, Format.TEXT);

    ExplainOptions withAnalyze(boolean wanted) {
        return new ExplainOptions(wanted, profile, timing, verbose, format);
    }

    /// A profile needs a run.
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

package dev.oriel.bench.run;

import dev.oriel.bench.results.Origin;
import dev.oriel.bench.results.Results;
import java.nio.file.Path;
import java.util.Locale;

/// Whether a run may resume an earlier one: only figures measured alike belong to one run.
///
/// @param file results of the earlier one
/// @param origin of the run to resume
/// @param options of the run to resume
public record Resumption(Path file, Origin origin, Options options) {
    /// Fails with the first difference if this run may not resume `earlier`.
    public void check(Results earlier) throws UserError {
        check("commit", earlier.commit(), origin.commit());
        check("machine", earlier.machine(), origin.machine());
        check("scale", earlier.scale(), options.scale().name().toLowerCase(Locale.ROOT));
        check("seed", Long.toString(earlier.seed()), Long.toString(options.seed()));
        if (origin.commit().endsWith("+")) {
            throw new UserError(
                    "%s is of a working tree with changes, and nobody knows whether they are still the same. Commit them and measure anew, or leave out --resume."
                            .formatted(file));
        }
    }

    private void check(String what, String then, String now) throws UserError {
        if (!then.equals(now)) {
            throw new UserError(
                    "%s holds a run of %s %s, this one is of %s. Go back to that, or write to another file."
                            .formatted(file, what, then, now));
        }
    }
}

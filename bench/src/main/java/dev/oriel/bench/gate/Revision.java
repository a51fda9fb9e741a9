package dev.oriel.bench.gate;

import dev.oriel.bench.run.UserError;
import dev.oriel.compare.Checkout;
import dev.oriel.compare.CompareFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// A revision of the source, checked out and built in a folder of its own, and removed again.
public record Revision(Checkout checkout) {
    private static final List<String> BUILD =
            List.of(
                    "./mvnw",
                    "-q",
                    "-ntp",
                    "-B",
                    "-Dquick",
                    "-Dmaven.test.skip=true",
                    "-pl",
                    "bench",
                    "-am",
                    "package");

    /// Checks it out and builds it.
    ///
    /// @throws Stop if git does not know it or it cannot be built
    public static Revision build(Path root, String revision)
            throws IOException, InterruptedException, UserError {
        Path folder = root.resolve("target", "gate-" + ProcessHandle.current().pid());
        try {
            return new Revision(Checkout.build(root, revision, folder, BUILD));
        } catch (CompareFailure e) {
            throw new UserError(String.valueOf(e.getMessage()));
        }
    }

    /// The name given by the user, with the short hash.
    public String name() {
        return checkout.name();
    }

    /// Class path of its benchmarks.
    public String classPath() {
        Path target = checkout.folder().resolve("bench", "target", "quick");
        return target.resolve("classes") + ":" + target.resolve("lib") + "/*";
    }

    /// Removes the checkout.
    public void remove() throws IOException, UserError {
        try {
            checkout.close();
        } catch (CompareFailure e) {
            throw new UserError(String.valueOf(e.getMessage()));
        }
    }
}

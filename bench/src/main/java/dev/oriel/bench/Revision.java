package dev.oriel.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/// A revision of the source, checked out and built in a folder of its own, and removed again.
///
/// @param name as the user gave it, and its short hash
/// @param folder of the checkout
record Revision(Path root, String name, Path folder) {
    /// Checks it out and builds it.
    ///
    /// @throws Stop where git does not know it or it cannot be built
    static Revision build(Path root, String revision)
            throws IOException, InterruptedException, Stop {
        String hash =
                run(
                        root,
                        "git does not know the revision '" + revision + "'",
                        "git",
                        "rev-parse",
                        "--verify",
                        "--short=12",
                        revision + "^{commit}");
        Path folder = root.resolve("target", "gate-" + ProcessHandle.current().pid());
        run(
                root,
                "The revision cannot be checked out",
                "git",
                "worktree",
                "add",
                "--detach",
                folder.toString(),
                hash.strip());
        Revision built = new Revision(root, revision + " (" + hash.strip() + ")", folder);
        try {
            run(
                    folder,
                    "The revision cannot be built, or is older than this benchmark",
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
            return built;
        } catch (Stop | IOException | InterruptedException e) {
            built.remove();
            throw e;
        }
    }

    /// What its benchmarks run on.
    String classPath() {
        Path target = folder.resolve("bench", "target", "quick");
        return target.resolve("classes") + ":" + target.resolve("lib") + "/*";
    }

    private static String run(Path where, String otherwise, String... words)
            throws IOException, InterruptedException, Stop {
        Process process =
                new ProcessBuilder(List.of(words))
                        .directory(where.toFile())
                        .redirectErrorStream(true)
                        .start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new Stop(otherwise + ":\n" + text.strip());
        }
        return text;
    }

    /// Removes the checkout.
    void remove() throws IOException, InterruptedException, Stop {
        run(
                root,
                "The folder of the revision cannot be removed",
                "git",
                "worktree",
                "remove",
                "--force",
                folder.toString());
    }
}

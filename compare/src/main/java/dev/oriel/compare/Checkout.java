package dev.oriel.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/// A revision of a git repository, checked out in a folder of its own and built there.
///
/// @param root of the repository
/// @param name as the user gave it, and its short hash
/// @param folder of the checkout
public record Checkout(Path root, String name, Path folder) implements AutoCloseable {
    private static final Duration TIME_MAX = Duration.ofHours(12);

    /// Checks it out and builds it.
    ///
    /// @param folder to be made
    /// @param build the command that builds it, run in `folder`
    /// @throws CompareFailure if git does not know it or it cannot be built
    /// @throws InterruptedException after ending the build, and removing the folder
    public static Checkout build(Path root, String revision, Path folder, List<String> build)
            throws IOException, InterruptedException, CompareFailure {
        String unknown = "git does not know the revision '" + revision + "'";
        String commit = revision + "^{commit}";
        String hash = run(root, unknown, "git", "rev-parse", "--verify", "--short=12", commit);
        run(
                root,
                "The revision cannot be checked out",
                "git",
                "worktree",
                "add",
                "--detach",
                folder.toString(),
                hash.strip());
        Checkout checkout = new Checkout(root, revision + " (" + hash.strip() + ")", folder);
        try {
            run(folder, revision + " cannot be built", build.toArray(String[]::new));
            return checkout;
        } catch (CompareFailure | IOException | InterruptedException e) {
            checkout.close();
            throw e;
        }
    }

    private static String run(Path where, String otherwise, String... words)
            throws IOException, InterruptedException, CompareFailure {
        List<String> lines = Collections.synchronizedList(new ArrayList<>());
        FreshProcess process = new FreshProcess(List.of(words), Map.of(), where, TIME_MAX);
        FreshProcess.Exit exit = process.run(lines::add);
        String text = String.join("\n", lines);
        if (exit.code() != 0) {
            throw new CompareFailure(otherwise + ":\n" + (text + "\n" + exit.errors()).strip());
        }
        return text;
    }

    /// Removes the folder.
    ///
    /// @throws CompareFailure if git refuses, or the thread was interrupted meanwhile
    @Override
    public void close() throws IOException, CompareFailure {
        String stays = "The folder of the revision cannot be removed";
        try {
            run(root, stays, "git", "worktree", "remove", "--force", folder.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CompareFailure(stays + ": interrupted", e);
        }
    }
}

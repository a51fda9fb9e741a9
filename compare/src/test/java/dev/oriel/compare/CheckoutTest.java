package dev.oriel.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Revisions of a small repository, built by a shell.
final class CheckoutTest {
    @TempDir private Path root;

    @TempDir private Path elsewhere;

    @BeforeEach
    void commit() throws Exception {
        git("init", "-q");
        Files.writeString(root.resolve("file"), "text");
        git("add", "file");
        git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "a");
    }

    private void git(String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(words));
        FreshProcess.Exit exit =
                new FreshProcess(command, Map.of(), root, Duration.ofMinutes(1)).run(_ -> {});
        assertEquals(0, exit.code(), exit::errors);
    }

    @Test
    void aRevisionIsBuiltAndRemoved() throws Exception {
        Path folder = elsewhere.resolve("built");
        try (Checkout checkout =
                Checkout.build(root, "HEAD", folder, List.of("cp", "file", "copy"))) {
            assertEquals("text", Files.readString(checkout.folder().resolve("copy")));
        }
        assertFalse(Files.exists(folder));
    }

    @Test
    void aBuildThatFailsSaysWhyAndLeavesNothing() {
        Path folder = elsewhere.resolve("failed");
        CompareFailure failure =
                assertThrows(
                        CompareFailure.class,
                        () ->
                                Checkout.build(
                                        root,
                                        "HEAD",
                                        folder,
                                        List.of("sh", "-c", "echo said; echo wrong >&2; exit 3")));
        assertTrue(failure.toString().contains("said\nwrong"), failure::toString);
        assertFalse(Files.exists(folder));
    }

    @Test
    void anInterruptEndsTheBuild() throws Exception {
        Path folder = elsewhere.resolve("interrupted");
        Path pid = elsewhere.resolve("pid");
        List<String> build =
                List.of(
                        "sh",
                        "-c",
                        "echo $$ > " + pid + ".new; mv " + pid + ".new " + pid + "; sleep 300");
        FutureTask<Void> building =
                new FutureTask<>(() -> {
                    Checkout.build(root, "HEAD", folder, build).close();
                    return null;
                });
        Thread thread = Thread.ofPlatform().start(building);
        while (!Files.exists(pid) && thread.isAlive()) {
            Thread.sleep(5);
        }
        thread.interrupt();
        ExecutionException failure = assertThrows(ExecutionException.class, building::get);
        assertTrue(failure.getCause() instanceof InterruptedException, failure::toString);
        long process = Long.parseLong(Files.readString(pid).strip());
        assertFalse(ProcessHandle.of(process).map(ProcessHandle::isAlive).orElse(false));
        assertFalse(Files.exists(folder));
    }
}

package dev.oriel.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

final class FreshJvmTest {
    @TempDir private Path folder;

    @Test
    void linesArriveAndTheCodeIsTold() throws IOException, InterruptedException {
        List<String> lines = new CopyOnWriteArrayList<>();
        FreshProcess.Exit exit = jvm("say", Duration.ofMinutes(5)).run(lines::add);
        assertEquals(3, exit.code());
        assertEquals(List.of("one", "two", folder.toRealPath().toString()), lines);
        assertEquals("it went wrong", exit.errors());
    }

    @Test
    void whatTheLinesAreRefusedForIsThrown() {
        FreshJvm jvm = jvm("say", Duration.ofMinutes(5));
        NumberFormatException thrown =
                assertThrows(NumberFormatException.class, () -> jvm.run(Integer::parseInt));
        assertTrue(String.valueOf(thrown.getMessage()).contains("one"), thrown::toString);
    }

    @Test
    void whatDoesNotEndIsEnded() throws IOException, InterruptedException {
        long start = System.nanoTime();
        FreshProcess.Exit exit = jvm("hang", Duration.ofSeconds(2)).run(line -> {});
        assertEquals(-1, exit.code());
        assertTrue(System.nanoTime() - start < 120_000_000_000L);
    }

    /// A process that is left behind holds the output open, and has no parent any more.
    @Test
    @EnabledOnOs(OS.LINUX)
    void processThatIsLeftBehindIsEnded() throws IOException, InterruptedException {
        long start = System.nanoTime();
        List<String> lines = new CopyOnWriteArrayList<>();
        FreshProcess.Exit exit = jvm("leave", Duration.ofMinutes(10)).run(lines::add);
        assertEquals(0, exit.code());
        long left = Long.parseLong(lines.getFirst());
        ProcessHandle.of(left)
                .ifPresent(process -> process.onExit().orTimeout(60, TimeUnit.SECONDS).join());
        assertTrue(System.nanoTime() - start < 240_000_000_000L);
    }

    private FreshJvm jvm(String what, Duration timeout) {
        return new FreshJvm(
                FreshJvm.ownJava(),
                List.of("-Xmx64m"),
                System.getProperty("java.class.path"),
                Program.class.getName(),
                List.of(what),
                folder,
                timeout,
                null);
    }

    /// What the fresh JVM runs.
    static final class Program {
        private Program() {}

        public static void main(String[] words) throws InterruptedException, IOException {
            if (words[0].equals("hang")) {
                Thread.sleep(Long.MAX_VALUE);
            }
            if (words[0].equals("leave")) {
                System.out.println(new ProcessBuilder("sleep", "300").inheritIO().start().pid());
                return;
            }
            System.out.println("one");
            System.out.println("two");
            System.out.println(Path.of(".").toRealPath());
            System.err.println("it went wrong");
            System.exit(3);
        }
    }
}

package dev.oriel.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskLockTest {
    private static final String ME = "process " + ProcessHandle.current().pid();

    @TempDir Path folder;

    @Test
    void secondLockInThisProcessIsRefusedAndNamesThisProcess() throws Exception {
        DiskDirectory directory = DiskDirectory.open(folder);
        try (AutoCloseable _ = directory.lock()) {
            LockedException e = assertThrows(LockedException.class, directory::lock);
            assertEquals(
                    ME + " (this one; close it there first, perhaps in another class loader)",
                    e.getMessage());
        }
        directory.lock().close();
    }

    @Test
    void anotherNameOfTheFolderIsTheSameLock() throws Exception {
        Path link = folder.resolveSibling(folder.getFileName() + "-link");
        try {
            Files.createSymbolicLink(link, folder);
        } catch (IOException | UnsupportedOperationException e) {
            assumeTrue(false, "no symbolic links here: " + e);
        }
        try (AutoCloseable _ = DiskDirectory.open(folder).lock()) {
            assertThrows(LockedException.class, DiskDirectory.open(link)::lock);
        } finally {
            Files.delete(link);
        }
    }

    @Test
    void closingALockTwiceDoesNotFreeTheNextOne() throws Exception {
        DiskDirectory directory = DiskDirectory.open(folder);
        AutoCloseable first = directory.lock();
        first.close();
        try (AutoCloseable _ = directory.lock()) {
            first.close();
            assertThrows(LockedException.class, directory::lock);
        }
    }

    @Test
    void lockSurvivesInterruptsOfItsOwner() throws Exception {
        DiskDirectory directory = DiskDirectory.open(folder);
        Thread.currentThread().interrupt();
        try (AutoCloseable _ = directory.lock()) {
            assertTrue(Thread.currentThread().isInterrupted());
            assertEquals(ME, answerOfAnotherProcess());
        } finally {
            assertTrue(Thread.interrupted());
        }
    }

    @Test
    void refusedAttemptInThisProcessLeavesTheLockHeldAgainstOthers() throws Exception {
        DiskDirectory directory = DiskDirectory.open(folder);
        try (AutoCloseable _ = directory.lock()) {
            assertThrows(LockedException.class, directory::lock);
            assertEquals(ME, answerOfAnotherProcess());
        }
        assertEquals("locked", answerOfAnotherProcess());
    }

    @Test
    void lockOfAnotherProcessNamesItAndEndsWithIt() throws Exception {
        DiskDirectory directory = DiskDirectory.open(folder);
        Process holder = startHolder();
        try (BufferedReader out = holder.inputReader(StandardCharsets.UTF_8)) {
            assertEquals("locked", out.readLine());
            LockedException e = assertThrows(LockedException.class, directory::lock);
            assertEquals("process " + holder.pid(), e.getMessage());
        } finally {
            holder.destroyForcibly();
            holder.waitFor();
        }
        directory.lock().close();
    }

    @Test
    void fileLeftByAnOlderHolderDoesNotLock() throws Exception {
        Files.writeString(folder.resolve("lock"), "123456789012345678");
        try (AutoCloseable _ = DiskDirectory.open(folder).lock()) {
            assertEquals(ME, answerOfAnotherProcess());
        }
    }

    /// An empty lock file may be one that somebody has made anew beside a living holder.
    @Test
    void aFileThatNamesNobodyIsDoubtfulUntilTheDoubtIsSettled() throws Exception {
        try (FolderLock lock = DiskDirectory.open(folder).lock()) {
            assertTrue(lock.isDoubtful());
            lock.settle();
            assertFalse(lock.isDoubtful());
        }
        try (FolderLock lock = DiskDirectory.open(folder).lock()) {
            assertFalse(lock.isDoubtful()); // it was closed in order
        }
    }

    @Test
    void anotherClassLoaderIsRefusedAndLeavesTheLockHeldAgainstOthers() throws Exception {
        try (AutoCloseable _ = DiskDirectory.open(folder).lock()) {
            assertEquals(LockedException.class.getName(), answerOfAnotherClassLoader());
            assertEquals(ME, answerOfAnotherProcess());
            assertEquals(LockedException.class.getName(), answerOfAnotherClassLoader());
        }
        assertEquals("locked", answerOfAnotherClassLoader());
        assertEquals("locked", answerOfAnotherProcess());
    }

    @Test
    void anotherClassLoaderIsRefusedThoughThePropertiesWereReplaced() throws Exception {
        Properties before = System.getProperties();
        try (AutoCloseable _ = DiskDirectory.open(folder).lock()) {
            Properties others = new Properties();
            others.putAll(before);
            others.keySet().removeIf(key -> key.toString().startsWith("dev.oriel.lock."));
            System.setProperties(others);
            assertEquals(LockedException.class.getName(), answerOfAnotherClassLoader());
            assertEquals(ME, answerOfAnotherProcess());
        } finally {
            System.setProperties(before);
        }
        assertEquals("locked", answerOfAnotherProcess());
    }

    @Test
    void aFolderWhoseLockFileWasDeletedIsHeldInThisProcess() throws Exception {
        DiskDirectory directory = DiskDirectory.open(folder);
        try (AutoCloseable _ = directory.lock()) {
            Files.delete(folder.resolve("lock"));
            assertThrows(LockedException.class, directory::lock);
            assertEquals(LockedException.class.getName(), answerOfAnotherClassLoader());
        }
        directory.lock().close();
    }

    @Test
    void aLockFileThatWasReplacedByItsCopyIsHeldByALivingProcess() throws Exception {
        Path file = folder.resolve("lock");
        try (AutoCloseable _ = DiskDirectory.open(folder).lock()) {
            Path copy = Files.copy(file, folder.resolve("copy"));
            Files.delete(file);
            Files.move(copy, file);
            assertEquals(ME + ", whose lock was released by accident", answerOfAnotherProcess());
        }
    }

    @Test
    void processesStartedByTheHolderNeitherHoldNorDropTheLock() throws Exception {
        assumeTrue(Files.isDirectory(Path.of("/proc/self")), "sleep is a command on Linux");
        Process holder = startHolder("child");
        try (BufferedReader out = holder.inputReader(StandardCharsets.UTF_8)) {
            assertEquals("locked", out.readLine());
            assertEquals("process " + holder.pid(), answerOfAnotherProcess());
            ProcessHandle child = holder.children().findFirst().orElseThrow();
            holder.destroyForcibly();
            holder.waitFor();
            assertTrue(child.isAlive());
            assertEquals("locked", answerOfAnotherProcess());
            child.destroyForcibly();
        }
    }

    @Test
    void oneOfTwoProcessesThatOpenAStaleFolderWins() throws Exception {
        for (int i = 0; i < 12; i++) {
            Process dead = startHolder();
            assertEquals("locked", dead.inputReader(StandardCharsets.UTF_8).readLine());
            dead.destroyForcibly();
            dead.waitFor();
            Process one = startHolder();
            Process other = startHolder();
            String first = one.inputReader(StandardCharsets.UTF_8).readLine();
            String second = other.inputReader(StandardCharsets.UTF_8).readLine();
            assertTrue(first.equals("locked") != second.equals("locked"), first + ", " + second);
            one.destroyForcibly();
            other.destroyForcibly();
            one.waitFor();
            other.waitFor();
        }
    }

    @Test
    void aLockThatTheSystemHasReleasedIsStillHeldByALivingProcess() throws Exception {
        try (AutoCloseable _ = DiskDirectory.open(folder).lock()) {
            assertFalse(Files.readString(folder.resolve("lock")).isEmpty()); // releases it
            assertEquals(ME + ", whose lock was released by accident", answerOfAnotherProcess());
            assertEquals(
                    ME + ", whose lock was released by accident", answerOfAnotherProcess("read"));
        }
        assertEquals("", Files.readString(folder.resolve("lock"))); // nobody has settled it
        assertEquals("locked", answerOfAnotherProcess());
    }

    @Test
    void aProcessThatWasKilledHoldsNothingThoughNobodyHasWaitedForIt() throws Exception {
        Process holder = startHolder();
        try (BufferedReader out = holder.inputReader(StandardCharsets.UTF_8)) {
            assertEquals("locked", out.readLine());
        } finally {
            holder.destroyForcibly();
            holder.waitFor();
        }
        assertFalse(Files.readString(folder.resolve("lock")).isEmpty());
        assertEquals("locked", answerOfAnotherProcess());
    }

    @Test
    void aStoppedProcessStillHoldsTheFolder() throws Exception {
        assumeTrue(Files.isDirectory(Path.of("/proc/self")), "signals are sent on Linux");
        Process holder = startHolder("drop");
        try (BufferedReader out = holder.inputReader(StandardCharsets.UTF_8)) {
            assertEquals("locked", out.readLine());
            signal("STOP", holder);
            assertEquals(
                    "process " + holder.pid() + ", whose lock was released by accident",
                    answerOfAnotherProcess());
        } finally {
            signal("CONT", holder);
            holder.destroyForcibly();
            holder.waitFor();
        }
        assertEquals("locked", answerOfAnotherProcess());
    }

    private static void signal(String name, Process process) throws Exception {
        assertEquals(
                0, new ProcessBuilder("kill", "-" + name, "" + process.pid()).start().waitFor());
    }

    @Test
    void aCopyOfAHeldFolderIsFree() throws Exception {
        Path copy = Files.createDirectory(folder.resolveSibling(folder.getFileName() + "-copy"));
        Process holder = startHolder();
        try (BufferedReader out = holder.inputReader(StandardCharsets.UTF_8)) {
            assertEquals("locked", out.readLine());
            Files.copy(folder.resolve("lock"), copy.resolve("lock"));
            DiskDirectory.open(copy).lock().close();
        } finally {
            holder.destroyForcibly();
            holder.waitFor();
            Files.delete(copy.resolve("lock"));
            Files.delete(copy);
        }
    }

    /// The name of the exception that a copy of the class in a class loader of its own throws, or "locked".
    private String answerOfAnotherClassLoader() throws Exception {
        URL[] classes = {root(DiskDirectory.class).toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(classes, null)) {
            Class<?> type = loader.loadClass(DiskDirectory.class.getName());
            Object directory = type.getMethod("open", Path.class).invoke(null, folder);
            try (AutoCloseable _ = (AutoCloseable) type.getMethod("lock").invoke(directory)) {
                return "locked";
            } catch (InvocationTargetException e) {
                return Objects.requireNonNull(e.getCause()).getClass().getName();
            }
        }
    }

    @Test
    void whoMayOnlyReadIsKeptOutByWhoWrites() throws Exception {
        DiskDirectory directory = DiskDirectory.open(folder);
        try (AutoCloseable _ = directory.lock()) {
            assertThrows(LockedException.class, directory::lockToRead);
            assertEquals(ME, answerOfAnotherProcess("read"));
        }
        Process holder = startHolder();
        try (BufferedReader out = holder.inputReader(StandardCharsets.UTF_8)) {
            assertEquals("locked", out.readLine());
            LockedException e = assertThrows(LockedException.class, directory::lockToRead);
            assertEquals("process " + holder.pid(), e.getMessage());
        } finally {
            holder.destroyForcibly();
            holder.waitFor();
        }
    }

    @Test
    void readersShareTheFolderAndKeepOutWhoWrites() throws Exception {
        Files.writeString(folder.resolve("lock"), "123456789012345678");
        DiskDirectory directory = DiskDirectory.open(folder);
        try (AutoCloseable _ = directory.lockToRead()) {
            assertEquals("locked", answerOfAnotherProcess("read"));
            assertEquals(
                    "another process (the last one that wrote was 123456789012345678)",
                    answerOfAnotherProcess());
            assertThrows(LockedException.class, directory::lock);
        }
        assertEquals("123456789012345678", Files.readString(folder.resolve("lock")));
        assertEquals("locked", answerOfAnotherProcess());
    }

    @Test
    void readerNeedsAFileToLock() throws Exception {
        DiskDirectory directory = DiskDirectory.open(folder);
        IOException e = assertThrows(IOException.class, directory::lockToRead);
        assertFalse(e instanceof LockedException);
        assertTrue(Files.notExists(folder.resolve("lock")));
    }

    @Test
    void folderNamedLikeTheLockIsAnError() throws IOException {
        Files.createDirectory(folder.resolve("lock"));
        DiskDirectory directory = DiskDirectory.open(folder);
        IOException e = assertThrows(IOException.class, directory::lock);
        assertFalse(e instanceof LockedException);
    }

    private String answerOfAnotherProcess(String... how) throws Exception {
        Process holder = startHolder(how);
        holder.outputWriter().close();
        try (BufferedReader out = holder.inputReader(StandardCharsets.UTF_8)) {
            return String.valueOf(out.readLine());
        } finally {
            waitUninterrupted(holder);
        }
    }

    private static void waitUninterrupted(Process process) throws InterruptedException {
        boolean interrupted = Thread.interrupted();
        process.waitFor();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private Process startHolder(String... how) throws IOException, URISyntaxException {
        String classPath = root(DiskDirectory.class) + File.pathSeparator + root(LockHolder.class);
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = new ArrayList<>();
        command.addAll(
                List.of(java, "-cp", classPath, LockHolder.class.getName(), folder.toString()));
        command.addAll(List.of(how));
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    /// The folder of classes that `type` was loaded from, on the module path too.
    private static Path root(Class<?> type) throws URISyntaxException {
        Path file = Path.of(type.getResource(type.getSimpleName() + ".class").toURI());
        return file.resolve("../../../..").normalize();
    }
}

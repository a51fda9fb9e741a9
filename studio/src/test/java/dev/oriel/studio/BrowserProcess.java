package dev.oriel.studio;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A program of a browser with a new profile, which is deleted at the end.
final class BrowserProcess implements AutoCloseable {
    private static final int EXIT_SECONDS = 20;

    private final Process process;

    /// Folder of the profile.
    final Path profile;

    /// Starts a program.
    ///
    /// @param command its words, from the folder of the profile
    BrowserProcess(Function<Path, ProcessBuilder> command) throws IOException {
        profile = Files.createTempDirectory("oriel-browser");
        process = command.apply(profile).start();
    }

    /// The first program of these names on the path; null if there is none.
    static @Nullable Path find(List<String> names) {
        for (String place : System.getenv("PATH").split(File.pathSeparator, -1)) {
            for (String name : names) {
                Path program = Path.of(place, name);
                if (Files.isExecutable(program)) {
                    return program;
                }
            }
        }
        return null;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /// Waits until the program has written a file so that `reader` finds something in its text.
    <T> T awaitFile(Path file, Function<String, @Nullable T> reader)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + RemoteSocket.PATIENCE_NANOS;
        while (System.nanoTime() < deadline && process.isAlive()) {
            T found = Files.exists(file) ? reader.apply(Files.readString(file)) : null;
            if (found != null) {
                return found;
            }
            TimeUnit.MILLISECONDS.sleep(10);
        }
        String written = Files.exists(file) ? Files.readString(file) : "nothing";
        close();
        throw new IOException("The browser does not listen; it has written: " + written);
    }

    /// Ends the browser and all of its processes, so that none writes into its profile any more, and deletes this.
    @Override
    public void close() {
        end(process::destroy);
    }

    /// As [#close].
    ///
    /// @param telling tells the browser that it shall end
    void end(Runnable telling) {
        List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
        all.add(process.toHandle());
        telling.run();
        process.onExit().completeOnTimeout(process, EXIT_SECONDS, TimeUnit.SECONDS).join();
        for (ProcessHandle one : all) {
            one.destroyForcibly();
        }
        for (ProcessHandle one : all) {
            one.onExit().orTimeout(1, TimeUnit.MINUTES).join();
        }
        delete(profile);
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("A browser's profile cannot be deleted.", e);
        }
    }
}

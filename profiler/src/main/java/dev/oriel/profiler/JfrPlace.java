package dev.oriel.profiler;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The folder of the Flight Recorder's files: the one for temporary files, or one that the starter of the JVM removes.
/// With the latter nothing is left even if the JVM is killed.
final class JfrPlace {
    private static final FileAttribute<?> OWNERS =
            PosixFilePermissions.asFileAttribute(
                    EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));

    private static volatile @Nullable Path folder;

    private JfrPlace() {}

    /// Sets the folder for all later recordings of this JVM.
    static void set(Path owned) {
        folder = owned;
    }

    /// A new empty file for a recording, which only its owner may read. Its name need not be hard to guess, since it is
    /// not there before: a random one would take the JVM's cryptography, some 15 ms of the first profile.
    static Path file() throws IOException {
        Path owned = folder;
        Path place = owned == null ? Path.of(System.getProperty("java.io.tmpdir")) : owned;
        boolean posix = place.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] rights =
                posix ? new FileAttribute<?>[] {OWNERS} : new FileAttribute<?>[0];
        while (true) {
            String unique = Long.toString(System.nanoTime(), Character.MAX_RADIX);
            try {
                return Files.createFile(place.resolve("oriel-profile" + unique + ".jfr"), rights);
            } catch (FileAlreadyExistsException e) {
                Thread.onSpinWait(); // another JVM's
            }
        }
    }

    /// Options of the command `JFR.configure`.
    static List<String> options() {
        Path owned = folder;
        return owned == null ? List.of() : List.of("repositorypath=\"" + owned + "\"");
    }
}

package dev.oriel.sql.file;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Owner, group and mode of a file, to copy to its replacement. Empty if there is no file, or if the file system
/// has no such attributes.
final class FileRights {
    private static final FileAttribute<?> OURS_ALONE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final @Nullable PosixFileAttributes old;

    private FileRights(@Nullable PosixFileAttributes old) {
        this.old = old;
    }

    /// Rights of `file`, which may be absent.
    static FileRights of(Path file) throws IOException {
        PosixFileAttributeView view = view(file);
        return new FileRights(view == null || !Files.exists(file) ? null : view.readAttributes());
    }

    private static @Nullable PosixFileAttributeView view(Path file) {
        return Files.getFileAttributeView(file, PosixFileAttributeView.class);
    }

    /// Creates `file`, which only this process's user may open until [#give] is called.
    ///
    /// @throws java.nio.file.FileAlreadyExistsException if it exists
    Path create(Path file) throws IOException {
        return old == null ? Files.createFile(file) : Files.createFile(file, OURS_ALONE);
    }

    /// Gives these rights to `file`, as far as this process may.
    void give(Path file) throws IOException {
        PosixFileAttributeView view = view(file);
        if (old == null || view == null) {
            return;
        }
        PosixFileAttributes own = view.readAttributes();
        Set<PosixFilePermission> mode = EnumSet.noneOf(PosixFilePermission.class);
        mode.addAll(old.permissions());
        if (!own.group().equals(old.group())) {
            try {
                view.setGroup(old.group());
            } catch (FileSystemException _) { // the old group's rights do not apply to ours
                mode.removeIf(right -> right.name().startsWith("GROUP_"));
            }
        }
        if (!own.permissions().equals(mode)) {
            view.setPermissions(mode);
        }
        if (!own.owner().equals(old.owner())) {
            try {
                view.setOwner(old.owner());
            } catch (FileSystemException _) {
                // Only the superuser may change an owner: the file stays ours.
            }
        }
    }
}

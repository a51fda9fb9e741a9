package dev.oriel.io;

import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/// Permissions with which a database's folder and files are created. A file system without POSIX permissions
/// (NTFS, FAT) gives its own.
///
/// The process's umask may take permissions away, and adds none.
public enum FileMode {
    /// The owner alone: folders 0700, files 0600.
    OWNER("rwx------", "rw-------"),

    /// The owner, and members of the folder's group to read: folders 0750, files 0640.
    GROUP("rwxr-x---", "rw-r-----");

    private final String folder;
    private final String file;

    FileMode(String folder, String file) {
        this.folder = folder;
        this.file = file;
    }

    public FileAttribute<?>[] ofFolder(Path path) {
        return permissions(folder, path);
    }

    /// Permissions of a new file at `path`.
    public FileAttribute<?>[] ofFile(Path path) {
        return permissions(file, path);
    }

    private static FileAttribute<?>[] permissions(String permissions, Path path) {
        return isPosix(path)
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    private static boolean isPosix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}

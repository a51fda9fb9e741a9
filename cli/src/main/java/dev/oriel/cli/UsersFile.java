package dev.oriel.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/// The file of `oriel serve --users`, which holds passwords.
final class UsersFile {
    private UsersFile() {}

    /// Refuses a file that every user of the machine may read or change.
    static void checkPrivate(Path file) throws Failure, IOException {
        Set<PosixFilePermission> may;
        try {
            may = Files.getPosixFilePermissions(file);
        } catch (UnsupportedOperationException e) { // a file system without such permissions
            return;
        }
        if (may.contains(PosixFilePermission.OTHERS_READ)
                || may.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new Failure(
                    "everybody may read or change the file of users %s; take that away: chmod o-rwx %s"
                            .formatted(file, file));
        }
    }
}

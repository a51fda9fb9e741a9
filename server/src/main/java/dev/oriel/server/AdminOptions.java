package dev.oriel.server;

import dev.oriel.store.UsageException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Options for the administration of a running server.
///
/// @param socket file of the admin socket, which only the owner of the process can open; null for none
/// @param socketNeeded whether the server does not start if the socket cannot be made
/// @param slowMicros minimum duration of an operation kept as slow, in microseconds
/// @param backupFolder folder for backups requested over HTTP; null refuses them
/// @param schedule backups that the server makes by itself; null for none
public record AdminOptions(
        @Nullable Path socket,
        boolean socketNeeded,
        long slowMicros,
        @Nullable Path backupFolder,
        @Nullable BackupSchedule schedule) {
    private static final long SLOW_MICROS_USUAL = 100_000;

    /// Defaults: no socket, slow at 100 ms or more, no backups.
    public static final AdminOptions NONE =
            new AdminOptions(null, false, SLOW_MICROS_USUAL, null, null);

    public AdminOptions {
        if (slowMicros < 0) {
            throw new UsageException(
                    "The limit of slow calls is negative; give 0 microseconds or more",
                    "slow-micros=" + slowMicros);
        }
    }

    public AdminOptions withSocket(@Nullable Path wanted, boolean needed) {
        return new AdminOptions(wanted, needed, slowMicros, backupFolder, schedule);
    }

    public AdminOptions withSlowMicros(long wanted) {
        return new AdminOptions(socket, socketNeeded, wanted, backupFolder, schedule);
    }

    public AdminOptions withBackupFolder(@Nullable Path wanted) {
        return new AdminOptions(socket, socketNeeded, slowMicros, wanted, schedule);
    }

    public AdminOptions withSchedule(@Nullable BackupSchedule wanted) {
        return new AdminOptions(socket, socketNeeded, slowMicros, backupFolder, wanted);
    }
}

package dev.oriel.server;

import dev.oriel.store.UsageException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Options for the administration of a running server.
///
/// @param socket file of the admin socket, which only the owner of the process can open; null for none
/// @param socketNeeded whether the server does not start if the socket cannot be made
/// @param slowMicros minimum duration of an operation kept as slow, in microseconds
/// @param backupFolder folder for backups requested over HTTP; null refuses them
/// @param schedules backups that the server makes by itself, each in a folder of its own
public record AdminOptions(
        @Nullable Path socket,
        boolean socketNeeded,
        long slowMicros,
        @Nullable Path backupFolder,
        List<BackupSchedule> schedules) {
    private static final long SLOW_MICROS_USUAL = 100_000;

    /// Defaults: no socket, slow at 100 ms or more, no backups.
    public static final AdminOptions NONE =
            new AdminOptions(null, false, SLOW_MICROS_USUAL, null, List.of());

    public AdminOptions {
        if (slowMicros < 0) {
            throw new UsageException(
                    "The limit of slow calls is negative; give 0 microseconds or more",
                    "slow-micros=" + slowMicros);
        }
        schedules = List.copyOf(schedules);
        Set<Path> folders = new HashSet<>();
        for (BackupSchedule schedule : schedules) {
            if (!folders.add(schedule.folder().toAbsolutePath().normalize())) {
                throw new UsageException(
                        "Two schedules of backups have one folder, where each would delete the other's;"
                                + " give each a folder of its own",
                        "folder=" + schedule.folder());
            }
        }
    }

    public AdminOptions withSocket(@Nullable Path wanted, boolean needed) {
        return new AdminOptions(wanted, needed, slowMicros, backupFolder, schedules);
    }

    public AdminOptions withSlowMicros(long wanted) {
        return new AdminOptions(socket, socketNeeded, wanted, backupFolder, schedules);
    }

    public AdminOptions withBackupFolder(@Nullable Path wanted) {
        return new AdminOptions(socket, socketNeeded, slowMicros, wanted, schedules);
    }

    public AdminOptions withSchedules(List<BackupSchedule> wanted) {
        return new AdminOptions(socket, socketNeeded, slowMicros, backupFolder, wanted);
    }
}

package dev.oriel.io;

import java.nio.file.Files;
import java.nio.file.Path;

/// A process that locks a folder, says so, and holds the lock until its input ends; with a second
/// argument the lock of those who only read, or with `drop` one that the
/// system has released since.
public final class LockHolder {
    private LockHolder() {}

    public static void main(String[] args) throws Exception {
        DiskDirectory directory = DiskDirectory.open(Path.of(args[0]));
        boolean reading = args.length > 1 && args[1].equals("read");
        try (AutoCloseable _ = reading ? directory.lockToRead() : directory.lock()) {
            if (args.length > 1 && args[1].equals("drop")) {
                Files.readString(Path.of(args[0], "lock"));
            }
            if (args.length > 1 && args[1].equals("child")) {
                new ProcessBuilder("sleep", "60").start();
            }
            System.out.println("locked");
            System.out.flush();
            while (System.in.read() >= 0) {
                Thread.onSpinWait();
            }
        } catch (LockedException e) {
            System.out.println(e.getMessage());
        }
    }
}

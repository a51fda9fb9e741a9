package dev.oriel.io;

import java.nio.file.Path;

/// A process that locks a folder, says so, and holds the lock until its input ends.
public final class LockHolder {
    private LockHolder() {}

    public static void main(String[] args) throws Exception {
        try (AutoCloseable _ = DiskDirectory.open(Path.of(args[0])).lock()) {
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

package dev.oriel;

import java.sql.Connection;
import java.sql.DriverManager;

/// A process that opens a database, says so, and keeps it open until its input ends. It runs on the
/// class path, where the driver is found by its service file.
public final class DatabaseHolder {
    private DatabaseHolder() {}

    public static void main(String[] args) throws Exception {
        try (Connection _ = DriverManager.getConnection("jdbc:oriel:" + args[0])) {
            System.out.println("open");
            System.out.flush();
            while (System.in.read() >= 0) {
                Thread.onSpinWait();
            }
        }
    }
}

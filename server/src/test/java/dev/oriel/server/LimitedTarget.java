package dev.oriel.server;

import dev.oriel.Database;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A server as `oriel serve` starts it, which takes and frees descriptors as its standard input says: `take N`
/// leaves N, `free` gives all back. Arguments: the file of its log, and the folder of a database, unless it is to be
/// in memory.
final class LimitedTarget {
    private LimitedTarget() {}

    @SuppressWarnings("try") // it is never closed
    public static void main(String[] arguments) throws IOException {
        ServerLog log = new ServerLog(new PrintStream(arguments[0], StandardCharsets.UTF_8));
        log.takeNettys();
        Database database =
                arguments.length > 1 ? Database.open(Path.of(arguments[1])) : Database.inMemory();
        ServerOptions options = ServerOptions.defaults().withPorts(0, -1, 0).withThreads(2);
        OrielServer server = OrielServer.start(database, options, log);
        System.out.println("port " + server.memcachedPort() + " " + server.httpPort());
        System.out.flush();
        List<FileInputStream> taken = new ArrayList<>();
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.startsWith("take ")) {
                    take(Integer.parseInt(line.substring(5)), taken);
                } else {
                    for (FileInputStream one : taken) {
                        one.close();
                    }
                    taken.clear();
                }
                System.out.println("done");
                System.out.flush();
            }
        }
    }

    private static void take(int left, List<FileInputStream> taken) throws IOException {
        while (Descriptors.limit() - Descriptors.open() > left) {
            try {
                taken.add(new FileInputStream("/dev/null"));
            } catch (IOException none) { // nothing is left: give as much back as is to be left
                for (int i = 0; i < left; i++) {
                    taken.removeLast().close();
                }
                return;
            }
        }
    }
}

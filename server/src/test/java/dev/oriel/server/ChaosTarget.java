package dev.oriel.server;

import dev.oriel.Database;
import dev.oriel.DatabaseOptions;
import dev.oriel.store.Durability;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A server of class SYNC that does itself harm as its standard input says: `take N` leaves N descriptors, `eat N`
/// takes N MB of the heap, `free` gives all back. Arguments: the folder of the database, the file of its log, and
/// for TLS the files of certificate and key.
final class ChaosTarget {
    private static final int PIECE_BYTES = 1 << 20;

    private ChaosTarget() {}

    @SuppressWarnings("try") // it is never closed: it is killed
    public static void main(String[] arguments) throws IOException {
        FileOutputStream file = new FileOutputStream(arguments[1], true);
        ServerLog log = new ServerLog(new PrintStream(file, true, StandardCharsets.UTF_8));
        log.takeNettys();
        DatabaseOptions options = DatabaseOptions.defaults().withDurability(Durability.SYNC);
        Database database = Database.open(Path.of(arguments[0]), options);
        ServerOptions served = ServerOptions.defaults().withPorts(0, -1, 0).withThreads(2);
        if (arguments.length > 2) {
            served = served.withCertificate(Path.of(arguments[2]), Path.of(arguments[3]));
        }
        OrielServer server = OrielServer.start(database, served, log);
        List<FileInputStream> descriptors = new ArrayList<>();
        List<byte[]> memory = new ArrayList<>();
        System.out.println("port " + server.memcachedPort() + " " + server.httpPort());
        System.out.flush();
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                harm(line, descriptors, memory);
                System.out.println("done");
                System.out.flush();
            }
        }
    }

    private static void harm(String line, List<FileInputStream> descriptors, List<byte[]> memory)
            throws IOException {
        int count =
                line.equals("free") ? 0 : Integer.parseInt(line.substring(line.indexOf(' ') + 1));
        if (line.startsWith("take ")) {
            take(count, descriptors);
        } else if (line.startsWith("eat ")) {
            eat(count, memory);
        } else {
            memory.clear();
            for (FileInputStream one : descriptors) {
                one.close();
            }
            descriptors.clear();
        }
    }

    private static void take(int left, List<FileInputStream> descriptors) throws IOException {
        while (Descriptors.limit() - Descriptors.open() > left) {
            try {
                descriptors.add(new FileInputStream("/dev/null"));
            } catch (IOException none) { // clients have taken the rest meanwhile
                return;
            }
        }
    }

    private static void eat(int pieces, List<byte[]> memory) {
        try {
            for (int i = 0; i < pieces; i++) {
                memory.add(new byte[PIECE_BYTES]);
            }
        } catch (OutOfMemoryError e) { // a little is left to the server
            memory.removeLast();
        }
    }
}

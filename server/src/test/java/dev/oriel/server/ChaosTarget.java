package dev.oriel.server;

import dev.oriel.Database;
import dev.oriel.DatabaseOptions;
import dev.oriel.store.Durability;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// A server of class SYNC that does itself harm as its standard input says: `take N` leaves N descriptors, `eat N`
/// takes N MB of the heap, `spin N` keeps N threads busy, `free` gives all back, the heap first. What it reads and says meanwhile needs no heap.
/// Arguments: the folder of the database, the file of its log, and for TLS the files of certificate and key.
final class ChaosTarget {
    private static final int PIECE_BYTES = 1 << 20;
    private static volatile boolean spinning;

    private ChaosTarget() {}

    @SuppressWarnings("try") // it is never closed: it is killed
    public static void main(String[] arguments) throws IOException, ClassNotFoundException {
        loadClasses();
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
        byte[] line = new byte[100];
        byte[] done = "done\n".getBytes(StandardCharsets.US_ASCII);
        for (int length = read(line); length >= 0; length = read(line)) {
            if (line[0] == 'f') {
                memory.clear();
            }
            harm(new String(line, 0, length, StandardCharsets.US_ASCII), descriptors, memory);
            System.out.write(done, 0, done.length);
            System.out.flush();
        }
    }

    /// Loads all classes that lie in folders: from a jar, as an installed server has them, loading takes no
    /// descriptor. The JVM keeps a failure to load a class for ever.
    private static void loadClasses() throws IOException, ClassNotFoundException {
        String entries = System.getProperty("java.class.path", "");
        for (String entry : entries.split(File.pathSeparator, -1)) {
            Path folder = Path.of(entry);
            if (!Files.isDirectory(folder)) {
                continue;
            }
            List<Path> files;
            try (Stream<Path> all = Files.walk(folder.resolve("dev"))) {
                files = all.filter(file -> file.toString().endsWith(".class")).toList();
            }
            for (Path file : files) {
                String path = folder.relativize(file).toString();
                String name =
                        path.substring(0, path.length() - ".class".length())
                                .replace(File.separatorChar, '.');
                Class.forName(name, false, ChaosTarget.class.getClassLoader());
            }
        }
    }

    /// Reads a line, and returns its length; -1 at the end.
    private static int read(byte[] line) throws IOException {
        int length = 0;
        for (int next = System.in.read(); next != '\n'; next = System.in.read()) {
            if (next < 0) {
                return -1;
            }
            line[length++] = (byte) next;
        }
        return length;
    }

    private static void harm(String line, List<FileInputStream> descriptors, List<byte[]> memory)
            throws IOException {
        int count =
                line.equals("free") ? 0 : Integer.parseInt(line.substring(line.indexOf(' ') + 1));
        if (line.startsWith("take ")) {
            take(count, descriptors);
        } else if (line.startsWith("eat ")) {
            eat(count, memory);
        } else if (line.startsWith("spin ")) {
            spin(count);
        } else {
            spinning = false;
            for (FileInputStream one : descriptors) {
                one.close();
            }
            descriptors.clear();
        }
    }

    private static void spin(int threads) {
        spinning = true;
        for (int i = 0; i < threads; i++) {
            Thread thread =
                    new Thread(() -> {
                        while (spinning) {
                            Thread.onSpinWait();
                        }
                    });
            thread.setDaemon(true);
            thread.start();
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

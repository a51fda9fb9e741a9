package dev.oriel.server;

import dev.oriel.Database;
import java.io.BufferedReader;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

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
                    loadClassesOfFolders();
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

    /// A class in a folder takes a descriptor when it is first needed, one in a jar does not.
    private static void loadClassesOfFolders() throws IOException {
        String path = System.getProperty("java.class.path", "");
        for (String part : path.split(File.pathSeparator, -1)) {
            Path folder = Path.of(part);
            if (!part.isEmpty() && Files.isDirectory(folder) && !part.contains("test-classes")) {
                List<Path> files;
                try (Stream<Path> all = Files.walk(folder.resolve("dev"))) {
                    files = all.filter(file -> file.toString().endsWith(".class")).toList();
                }
                for (Path file : files) {
                    String name =
                            folder.relativize(file).toString().replace(File.separatorChar, '.');
                    load(name.substring(0, name.length() - ".class".length()));
                }
            }
        }
    }

    private static void load(String name) throws IOException {
        if (name.endsWith("-info")) {
            return;
        }
        try {
            Class.forName(name, false, LimitedTarget.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IOException(e);
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

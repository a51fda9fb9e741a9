package dev.oriel.conformance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/// Runs the scripts of sqllogictest from the package `net.hydromatic:sql-logic-test`: each on an empty database in
/// memory, several at once.
final class LogicCorpus {
    private static final String ROOT = "test/";
    private static final String END = ".test";
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private LogicCorpus() {}

    /// The names of all scripts, such as `index/in/10/slt_good_0`, in the order of the alphabet.
    static List<String> names() throws IOException {
        URL first = LogicCorpus.class.getClassLoader().getResource(ROOT + "select1" + END);
        if (first == null || !(first.openConnection() instanceof JarURLConnection connection)) {
            throw new IOException("The corpus is not on the class path");
        }
        List<String> names = new ArrayList<>();
        try (JarFile jar = new JarFile(connection.getJarFileURL().getPath())) {
            for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
                String path = entry.getName();
                if (path.startsWith(ROOT) && path.endsWith(END)) {
                    names.add(path.substring(ROOT.length(), path.length() - END.length()));
                }
            }
        }
        names.sort(null);
        return names;
    }

    /// Runs the script `name`.
    static void run(String name, LogicSummary summary) throws IOException, SQLException {
        String url = "jdbc:oriel:mem:logic" + DATABASES.incrementAndGet();
        InputStream script =
                LogicCorpus.class.getClassLoader().getResourceAsStream(ROOT + name + END);
        if (script == null) {
            throw new IOException("The corpus has no script " + name);
        }
        try (BufferedReader reader =
                        new BufferedReader(
                                new InputStreamReader(script, StandardCharsets.ISO_8859_1));
                Connection connection = DriverManager.getConnection(url)) {
            new LogicRun(name, connection, summary).run(new LogicScript(reader));
        }
    }

    /// Runs `names` in `threads` threads, with a line of progress for each script.
    static void run(List<String> names, int threads, LogicSummary summary, PrintStream progress)
            throws InterruptedException {
        AtomicInteger next = new AtomicInteger();
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            workers.add(Thread.ofPlatform().start(() -> work(names, next, summary, progress)));
        }
        for (Thread worker : workers) {
            worker.join();
        }
    }

    private static void work(
            List<String> names, AtomicInteger next, LogicSummary summary, PrintStream progress) {
        for (int i = next.getAndIncrement(); i < names.size(); i = next.getAndIncrement()) {
            String name = names.get(i);
            long started = System.nanoTime();
            try {
                run(name, summary);
            } catch (IOException | SQLException | RuntimeException failure) {
                summary.failed("The script could not be run: " + failure, name);
            }
            double seconds = (System.nanoTime() - started) / 1e9;
            progress.printf(
                    Locale.ROOT,
                    "%4d/%d %-45s %6.1f s   %s%n",
                    i + 1,
                    names.size(),
                    name,
                    seconds,
                    summary.counts());
        }
    }

    /// Runs the scripts whose names begin with one of the arguments, and lists all failures.
    public static void main(String[] arguments) throws IOException, InterruptedException {
        List<String> names = new ArrayList<>();
        for (String name : names()) {
            for (String prefix : arguments) {
                if (name.startsWith(prefix)) {
                    names.add(name);
                    break;
                }
            }
        }
        LogicSummary summary = new LogicSummary(Integer.MAX_VALUE);
        run(names, 1, summary, System.out);
        System.out.println(summary);
    }
}

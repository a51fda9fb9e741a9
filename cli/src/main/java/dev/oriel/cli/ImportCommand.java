package dev.oriel.cli;

import dev.oriel.Database;
import dev.oriel.DatabaseOptions;
import dev.oriel.cli.migration.Migration;
import dev.oriel.cli.migration.MigrationException;
import dev.oriel.cli.migration.MigrationReport;
import dev.oriel.cli.migration.Product;
import dev.oriel.store.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/// `oriel import`: makes a new database from a database of another product.
@Command(
        name = "import",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "Make a database of one of H2, HSQLDB, Derby, SQLite or PostgreSQL.",
        synopsisHeading = "%nUsage: ",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n",
        description = {
            "",
            "Reads a schema through JDBC and writes its tables, rows, keys, indexes, checks, sequences and"
                    + " views into a new database. What Oriel does not understand, such as a view in the"
                    + " product's own dialect, is left out and listed. Rows are never left out: each table is"
                    + " read again and compared at the end. If anything fails, PATH is not there.",
            "",
            "Nothing of the source is changed. Its driver is looked for on the class path, in --driver, and in"
                    + " Maven's local repository."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  oriel import h2 ./shop shop.oriel --user sa",
            "  oriel import sqlite chinook.db chinook",
            "  oriel import postgresql jdbc:postgresql://localhost/shop shop --user ada --password-file pw"
        })
final class ImportCommand implements Callable<Integer> {
    private static final DatabaseOptions QUICK =
            DatabaseOptions.defaults().withDurability(Durability.ASYNC);

    @ParentCommand
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Main main;

    @Parameters(
            index = "0",
            paramLabel = "PRODUCT",
            description = "h2, hsqldb, derby, sqlite or postgresql.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String product;

    @Parameters(
            index = "1",
            paramLabel = "SOURCE",
            description = "Its JDBC URL, or the part after 'jdbc:PRODUCT:': often a file.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String place;

    @Parameters(
            index = "2",
            paramLabel = "PATH",
            description = "Folder for the database: an empty one, or one that does not exist yet.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path path;

    @Option(names = "--user", paramLabel = "NAME", description = "User of the source.")
    private @Nullable String user;

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = "File with the user's password in its first line.")
    private @Nullable Path passwordFile;

    @Option(
            names = "--schema",
            paramLabel = "NAME",
            description = "Schema of the source; without it the product's usual one.")
    private String schema = "";

    @Option(
            names = "--tables",
            split = ",",
            paramLabel = "NAME",
            description = "These tables alone, parted by commas.")
    private List<String> tables = List.of();

    @Option(
            names = "--driver",
            split = ":",
            paramLabel = "JAR",
            description = "Jars of the product's driver, parted by colons.")
    private List<Path> driver = List.of();

    @Override
    public Integer call() throws Failure, IOException, SQLException {
        Product from =
                Product.of(product)
                        .orElseThrow(() ->
                                new Failure(
                                        "there is no import from "
                                                + product
                                                + "; there is one from h2, hsqldb, derby, sqlite and"
                                                + " postgresql"));
        if (Files.exists(path) && !isEmptyFolder(path)) {
            throw new Failure(path + " is not empty; name an empty folder or a new one");
        }
        Path absolute = path.toAbsolutePath().normalize();
        Path unfinished = absolute.resolveSibling(absolute.getFileName() + ".unfinished");
        if (Files.exists(unfinished)) {
            throw new Failure(
                    unfinished
                            + " is left of an import that was cut off; delete it, and try again");
        }
        long started = System.nanoTime();
        MigrationReport report;
        boolean done = false;
        try (Connection source = Migration.connect(from, place, credentials(), driver)) {
            report = fill(from, source, unfinished);
            Files.deleteIfExists(absolute);
            Files.move(unfinished, absolute, StandardCopyOption.ATOMIC_MOVE);
            done = true;
        } catch (MigrationException e) {
            throw new Failure(String.valueOf(e.getMessage()), e);
        } finally {
            if (!done) {
                delete(unfinished);
            }
        }
        print(report, System.nanoTime() - started);
        return 0;
    }

    private static boolean isEmptyFolder(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return false;
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.findAny().isEmpty();
        }
    }

    private Properties credentials() throws IOException {
        Properties properties = new Properties();
        if (user != null) {
            properties.setProperty("user", user);
        }
        if (passwordFile != null) {
            List<String> lines = Files.readAllLines(passwordFile);
            properties.setProperty("password", lines.isEmpty() ? "" : lines.get(0));
        }
        return properties;
    }

    private MigrationReport fill(Product from, Connection source, Path folder)
            throws SQLException, MigrationException {
        Set<String> wanted = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        wanted.addAll(tables);
        try (Database database = Database.open(folder, QUICK);
                Connection target = database.connect();
                TableProgress progress = new TableProgress(main.environment().screen())) {
            return Migration.run(from, source, target, schema, wanted, progress);
        }
    }

    private static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private void print(MigrationReport report, long nanos) {
        Screen screen = main.environment().screen();
        long rows = report.tables().values().stream().mapToLong(Long::longValue).sum();
        screen.out()
                .println(
                        "%s in %s, compared row by row, with %s, %s, %s, %s and %s, in %s."
                                .formatted(
                                        Figures.count(rows, "row"),
                                        Figures.count(report.tables().size(), "table"),
                                        plural(report.indexes(), "index", "indexes"),
                                        Figures.count(report.checks(), "check"),
                                        Figures.count(report.foreignKeys(), "foreign key"),
                                        Figures.count(report.sequences(), "sequence"),
                                        Figures.count(report.views(), "view"),
                                        Figures.time(nanos)));
        list(screen, "Different here:", report.notes());
        list(screen, "Not taken over:", report.left());
        screen.out().flush();
    }

    private static String plural(int count, String one, String more) {
        return Figures.count(count) + " " + (count == 1 ? one : more);
    }

    private static void list(Screen screen, String title, List<String> lines) {
        if (!lines.isEmpty()) {
            screen.out().println(screen.bold(title));
            lines.forEach(line -> screen.out().println("  " + line));
        }
    }
}

package dev.oriel.cli;

import dev.oriel.Database;
import dev.oriel.DatabaseOptions;
import dev.oriel.store.DatabaseException;
import dev.oriel.store.LimitException;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The working folder of a demo. It carries a mark; only files that a demo made in a marked folder are ever
/// deleted.
///
/// @param path the folder
record DemoFolder(Path path) {
    private static final String MARK = ".oriel-demo";
    private static final DatabaseOptions READ_ONLY = DatabaseOptions.defaults().withReadOnly(true);

    /// Returns an empty folder for a new demo, in place of a former one.
    ///
    /// @throws Failure if the path has other files
    static DemoFolder fresh(Path path) throws IOException, Failure {
        DemoFolder folder = new DemoFolder(path);
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS) && !Files.isDirectory(path)) {
            throw new Failure(path + " is not a folder: name another one with --dir");
        }
        if (Files.exists(folder.mark())) {
            refuseInUse(folder.database());
            delete(folder.database());
            delete(folder.profiledDatabase());
            Files.deleteIfExists(folder.report());
            Files.deleteIfExists(folder.hprof());
        } else if (Files.exists(path) && !isEmpty(path)) {
            throw new Failure(
                    path
                            + " holds files that no demo made, and is left alone:"
                            + " name another folder with --dir");
        }
        Files.createDirectories(path);
        Files.writeString(folder.mark(), "oriel demo deletes and remakes what it made here.\n");
        return folder;
    }

    /// Refuses a database that another process still uses: its files must not vanish.
    private static void refuseInUse(Path database) throws Failure {
        if (!Files.exists(database)) {
            return;
        }
        try (Database former = Database.open(database, READ_ONLY)) {
            former.connect().close();
        } catch (LimitException e) {
            throw new Failure(Failures.message(e), e);
        } catch (DatabaseException | SQLException _) {
            // Any other fault does not matter: it is to be deleted.
        }
    }

    Path database() {
        return path.resolve("db");
    }

    /// Folder of the profiled run's database, which is deleted after the run.
    Path profiledDatabase() {
        return path.resolve("profiled");
    }

    Path report() {
        return path.resolve("report.html");
    }

    Path hprof() {
        return path.resolve("profile.hprof.txt");
    }

    private Path mark() {
        return path.resolve(MARK);
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.findAny().isEmpty();
        }
    }

    /// Deletes a file, or a folder with its content, if it exists. Follows no links.
    static void delete(Path path) throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(
                path,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        Files.delete(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(
                            Path folder, @Nullable IOException failed) throws IOException {
                        if (failed != null) {
                            throw failed;
                        }
                        Files.delete(folder);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }
}

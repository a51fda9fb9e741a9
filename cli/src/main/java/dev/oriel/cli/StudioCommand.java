package dev.oriel.cli;

import dev.oriel.Database;
import dev.oriel.DatabaseOptions;
import dev.oriel.io.FileAccess;
import dev.oriel.studio.Studio;
import dev.oriel.studio.StudioOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/// `oriel studio`: serves a web page over a database, until the process is told to end.
@Command(
        name = "studio",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "Look at a database in the browser: tables, SQL, Gremlin, plans, profiles.",
        synopsisHeading = "%nUsage: ",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n",
        description = {
            "",
            "Opens the browser at an address that works once and on this machine only. Ctrl-C ends it."
        })
final class StudioCommand implements Callable<Integer> {
    @ParentCommand
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Main main;

    @Parameters(paramLabel = "PATH", description = "Folder of the database.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path path;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "Port to listen at (any free one).")
    private int port;

    @Option(names = "--read-only", description = "Refuse every change.")
    private boolean readOnly;

    @Option(names = "--no-browser", description = "Print the address and open nothing.")
    private boolean noBrowser;

    @Override
    public Integer call() throws IOException, Failure, InterruptedException {
        if (!Files.isDirectory(path)) {
            throw new Failure(
                    "there is no database " + path + "; oriel sql " + path + " creates one");
        }
        StudioOptions options;
        try {
            options = StudioOptions.defaults().withPort(port).withReadOnly(readOnly);
        } catch (IllegalArgumentException e) {
            throw new Failure(String.valueOf(e.getMessage()), e);
        }
        Database database =
                Database.open(path, DatabaseOptions.defaults().withFileAccess(FileAccess.FOLDER));
        Studio studio;
        try {
            studio = Studio.open(database, options);
        } catch (IOException | RuntimeException e) {
            database.close();
            throw e;
        }
        CountDownLatch ended = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(
                                () -> {
                                    try (database;
                                            studio) {
                                        ended.countDown();
                                    }
                                },
                                "oriel-ending"));
        URI address = studio.address();
        Screen screen = main.environment().screen();
        screen.out().println("The studio of " + path + " is at " + address);
        screen.out().println("The address works once. Ctrl-C ends the studio.");
        screen.out().flush();
        if (!noBrowser && !browse(address)) {
            screen.out().println("No browser could be started: open the address in one.");
            screen.out().flush();
        }
        ended.await();
        return 0;
    }

    private static boolean browse(URI address) {
        String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        List<String> command =
                system.contains("mac")
                        ? List.of("open", address.toString())
                        : system.contains("win")
                                ? List.of(
                                        "rundll32",
                                        "url.dll,FileProtocolHandler",
                                        address.toString())
                                : List.of("xdg-open", address.toString());
        try {
            new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return true;
        } catch (IOException e) {
            return false; // there is no such command: the caller prints the address
        }
    }
}

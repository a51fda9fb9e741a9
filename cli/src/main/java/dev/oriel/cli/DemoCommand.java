package dev.oriel.cli;

import dev.oriel.profiler.HprofReport;
import dev.oriel.profiler.HtmlReport;
import dev.oriel.profiler.Profile;
import dev.oriel.profiler.ProfileOptions;
import dev.oriel.profiler.ProfileResult;
import dev.oriel.profiler.ReportTable;
import dev.oriel.profiler.TreeReport;
import dev.oriel.server.ProductVersion;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/// `oriel demo`: demonstrates Oriel and its profiler.
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "See what Oriel can do, in under a minute.",
        synopsisHeading = "%nUsage: ",
        optionListHeading = "%nOptions:%n",
        description = {
            "",
            "Loads airports and routes into a new database, measures queries and updates, opens it"
                    + " again, then does it all once more under the profiler and writes its report."
        })
final class DemoCommand implements Callable<Integer> {
    private static final List<String> RATE_TITLES =
            List.of("what", "times", "per second", "rows per second");
    private static final int SAMPLE_LINES = 12;
    private static final int TREE_LINES = 24;
    private static final double TREE_PERCENT_MIN = 2;

    @ParentCommand
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Main main;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Where to put it; a former demo there is replaced (target/demo).")
    private @Nullable Path dir;

    @Option(names = "--quick", description = "Do less of everything: some seconds.")
    private boolean quick;

    @Override
    public Integer call() throws SQLException, IOException, Failure, InterruptedException {
        Environment environment = main.environment();
        Screen screen = environment.screen();
        Path path = dir == null ? environment.root().resolve("target", "demo") : dir;
        DemoFolder folder = DemoFolder.fresh(path.toAbsolutePath().normalize());
        say(screen, "Oriel " + ProductVersion.number() + " on " + Version.machine());

        Demo.Size size = quick ? Demo.Size.QUICK : Demo.Size.WHOLE;
        List<Rate> rates = new Demo(screen, folder.database(), size).run();

        print(screen, rates);

        say(screen, "");
        say(screen, screen.bold("All of it once more, shorter, under the profiler"));
        ProfileResult profile = profile(folder);
        report(screen, profile, folder, rates);
        farewell(screen, environment, folder);
        return 0;
    }

    private static void print(Screen screen, List<Rate> rates) {
        say(screen, "");
        say(screen, screen.bold("In sum"));
        List<RowPrinter.Column> columns =
                RATE_TITLES.stream()
                        .map(title -> new RowPrinter.Column(title, !title.equals("what")))
                        .toList();
        TablePrinter table = new TablePrinter(screen, columns);
        for (Rate rate : rates) {
            table.row(new ArrayList<@Nullable String>(cells(rate)));
        }
        table.finish();
    }

    private static List<String> cells(Rate rate) {
        return List.of(
                rate.what(),
                Figures.count(rate.operations()),
                rate.operationsPerSecond(),
                rate.rowsPerSecond());
    }

    private ProfileResult profile(DemoFolder folder)
            throws SQLException, IOException, Failure, InterruptedException {
        Screen nowhere = new Screen(new PrintWriter(Writer.nullWriter()), Screen.ENDLESS, false);
        Demo.Size size = quick ? Demo.Size.PROFILED_QUICK : Demo.Size.PROFILED;
        try (Profile profile = Profile.start(ProfileOptions.everything())) {
            new Demo(nowhere, folder.profiledDatabase(), size).run();
            return profile.stop();
        } finally {
            DemoFolder.delete(folder.profiledDatabase());
        }
    }

    private static void report(
            Screen screen, ProfileResult profile, DemoFolder folder, List<Rate> rates)
            throws IOException {
        StringBuilder hprof = new StringBuilder();
        new HprofReport().write(profile, hprof);
        List<String> samples =
                hprof.toString().lines().dropWhile(line -> !isSamplesHead(line)).toList();
        samples.stream().limit(SAMPLE_LINES).forEach(line -> say(screen, line));
        say(screen, "The traces and the rest of the table: " + shown(folder.hprof()));

        StringBuilder tree = new StringBuilder();
        new TreeReport(false, TREE_PERCENT_MIN).write(profile, tree);
        say(screen, "");
        tree.toString().lines().limit(TREE_LINES).forEach(line -> say(screen, line));

        new HprofReport().write(profile, folder.hprof());
        ReportTable table =
                new ReportTable(
                        "Rates",
                        "Measured before the profile, without it. " + Version.machine() + ".",
                        RATE_TITLES,
                        rates.stream().map(DemoCommand::cells).toList());
        new HtmlReport("Oriel demo").withTable(table).write(profile, folder.report());
    }

    private static boolean isSamplesHead(String line) {
        return line.startsWith("CPU SAMPLES BEGIN");
    }

    private static void farewell(Screen screen, Environment environment, DemoFolder folder) {
        String command = environment.command();
        String query = "SELECT name, city FROM airports WHERE name > 'Z' ORDER BY name LIMIT 5";
        String database = shown(folder.database());
        say(screen, "");
        say(screen, screen.bold("What to try next"));
        say(screen, "  Open %s in a browser: the whole profile".formatted(shown(folder.report())));
        say(screen, "  %s sql %s -c \"%s\"".formatted(command, database, query));
        say(screen, "  %s sql %s        then \\d, \\d airports, \\?".formatted(command, database));
        say(
                screen,
                "  %s studio %s     the same by eye, in the browser".formatted(command, database));
    }

    /// Returns a path as the user would type it: relative if it is below the working folder.
    private static String shown(Path path) {
        Path here = Path.of("").toAbsolutePath();
        String text = (path.startsWith(here) ? here.relativize(path) : path).toString();
        return text.indexOf(' ') < 0 ? text : '"' + text + '"';
    }

    private static void say(Screen screen, String line) {
        screen.out().println(line);
        screen.out().flush();
    }
}

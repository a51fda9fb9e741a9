package dev.oriel.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/// `oriel admin`: shows the state of a running server and administers it.
@Command(
        name = "admin",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "Look into a running server, back it up, stop it.",
        synopsisHeading = "%nUsage: ",
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions:%n",
        description = {
            "",
            "Asks the process that serves the database in PATH, through the socket 'admin.sock' there,"
                    + " which the user that the server runs as can open. The same is answered over"
                    + " HTTP to admins of all buckets: see docs/http-api.md."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  oriel admin status data",
            "  oriel admin sql data \"SELECT * FROM sys.sessions\"",
            "  oriel admin profile data 10 --output profile.html",
            "  oriel admin backup data /backups/monday --rate 50"
        })
final class AdminCommand implements Runnable {
    private static final int LOOK_MILLIS = 200;

    @ParentCommand
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Main main;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    /// Prints the help if no subcommand is given.
    @Override
    public void run() {
        spec.commandLine().usage(main.environment().out());
    }

    private Screen screen() {
        return main.environment().screen();
    }

    @Command(
            name = "status",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            description =
                    "Version, memory, files, connections, backups. The exit code is 1 unless the server is"
                            + " ready, so it serves as a health check.")
    int status(@Mixin AdminTarget target) throws Failure, IOException {
        List<List<@Nullable String>> rows = target.show(screen(), "GET", "/admin/status");
        return rows.contains(List.of("status", "up")) ? 0 : 1;
    }

    @Command(
            name = "connections",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            description = "List the connections with their users and last commands.")
    int connections(@Mixin AdminTarget target) throws Failure, IOException {
        target.show(screen(), "GET", "/admin/connections");
        return 0;
    }

    @Command(
            name = "disconnect",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            description = "Close a connection.")
    int disconnect(
            @Mixin AdminTarget target,
            @Parameters(
                            index = "1",
                            paramLabel = "ID",
                            description = "Its number, as connections shows it.")
                    int id)
            throws Failure, IOException {
        target.client().text("POST", "/admin/disconnect", "id", Integer.toString(id));
        return 0;
    }

    @Command(
            name = "slow",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            description = "The last operations that took long.")
    int slow(
            @Mixin AdminTarget target,
            @Option(
                            names = "--from-ms",
                            paramLabel = "MS",
                            description = "Set the least duration of kept calls, in milliseconds.")
                    @Nullable Integer from)
            throws Failure, IOException {
        if (from != null) {
            target.client().text("POST", "/admin/slow", "from_ms", from.toString());
        } else {
            target.show(screen(), "GET", "/admin/slow");
        }
        return 0;
    }

    @Command(
            name = "sql",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            description = "Answer a query, or CALL a procedure of sys.")
    int sql(
            @Mixin AdminTarget target,
            @Parameters(index = "1", paramLabel = "QUERY", description = "One query.") String sql,
            @Option(
                            names = "--rows",
                            paramLabel = "COUNT",
                            defaultValue = "1000",
                            description = "How many rows at most (1000).")
                    int rows)
            throws Failure, IOException {
        int shown =
                target.show(
                                screen(),
                                "POST",
                                "/admin/sql",
                                "sql",
                                sql,
                                "rows",
                                Integer.toString(rows))
                        .size();
        if (target.isCut()) {
            PrintWriter err = main.environment().err();
            err.println(
                    "oriel: the query has more rows, and these are the first "
                            + shown
                            + "; --rows COUNT gives up to 100000, LIMIT and OFFSET the others");
            err.flush();
        }
        return 0;
    }

    @Command(
            name = "cancel",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            description = "Cancel the running statement of a session.")
    int cancel(
            @Mixin AdminTarget target,
            @Parameters(
                            index = "1",
                            paramLabel = "SESSION",
                            description = "Its number in sys.sessions.")
                    int session)
            throws Failure, IOException {
        target.client().text("POST", "/admin/cancel", "session", Integer.toString(session));
        return 0;
    }

    @Command(
            name = "profile",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            description = "Record the server for some seconds.")
    int profile(
            @Mixin AdminTarget target,
            @Parameters(index = "1", paramLabel = "SECONDS", description = "1 to 300.") int seconds,
            @Option(
                            names = "--output",
                            paramLabel = "FILE",
                            defaultValue = "profile.html",
                            description = "Where the page goes (profile.html).")
                    Path output)
            throws Failure, IOException {
        String page =
                target.client()
                        .text("POST", "/admin/profile", "seconds", Integer.toString(seconds));
        Files.writeString(output, page);
        screen().out().println("The profile is in " + output);
        screen().out().flush();
        return 0;
    }

    @Command(
            name = "log",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            description = "Say from which level on lines are logged, or ask.")
    int log(
            @Mixin AdminTarget target,
            @Parameters(
                            index = "1",
                            arity = "0..1",
                            paramLabel = "LEVEL",
                            description = "info, warn or error.")
                    @Nullable String level)
            throws Failure, IOException {
        if (level == null) {
            target.show(screen(), "GET", "/admin/log");
        } else {
            target.show(screen(), "POST", "/admin/log", "level", level);
        }
        return 0;
    }

    @Command(
            name = "backup",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            description = "Copy the database into an empty folder.")
    int backup(
            @Mixin AdminTarget target,
            @Parameters(index = "1", paramLabel = "TARGET", description = "Folder for the copy.")
                    Path to,
            @Option(
                            names = "--rate",
                            paramLabel = "MB",
                            defaultValue = "0",
                            description = "Megabytes a second at most (0: no limit).")
                    int rate)
            throws Failure, IOException, InterruptedException {
        return await(
                target,
                "pages copied",
                "/admin/backup",
                "target",
                to.toAbsolutePath().toString(),
                "rate",
                Integer.toString(rate));
    }

    @Command(
            name = "check",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            description = "Read the whole database and look for damage.")
    int check(
            @Mixin AdminTarget target,
            @Option(
                            names = "--rate",
                            paramLabel = "MB",
                            defaultValue = "0",
                            description = "Megabytes a second at most (0: no limit).")
                    int rate)
            throws Failure, IOException, InterruptedException {
        return await(target, "pages read", "/admin/check", "rate", Integer.toString(rate));
    }

    @Command(
            name = "compact",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            description = "Give the space of deleted rows back.")
    int compact(
            @Mixin AdminTarget target,
            @Option(
                            names = "--rate",
                            paramLabel = "MB",
                            defaultValue = "0",
                            description = "Megabytes a second at most (0: no limit).")
                    int rate)
            throws Failure, IOException, InterruptedException {
        return await(target, "pages moved", "/admin/compact", "rate", Integer.toString(rate));
    }

    @Command(
            name = "jobs",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            description = "Backups, checks and compactions, the newest first.")
    int jobs(
            @Mixin AdminTarget target,
            @Option(
                            names = "--cancel",
                            paramLabel = "JOB",
                            description = "End the one of that number.")
                    @Nullable Integer cancel)
            throws Failure, IOException {
        if (cancel == null) {
            target.show(screen(), "GET", "/admin/jobs");
        } else {
            target.show(screen(), "POST", "/admin/jobs/cancel", "job", cancel.toString());
        }
        return 0;
    }

    @Command(
            name = "stop",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            description = "End the server in order.")
    int stop(@Mixin AdminTarget target) throws Failure, IOException {
        target.client().text("POST", "/admin/stop");
        return 0;
    }

    /// Starts a job in the server and shows its progress until it has ended. Ending this command does not end the
    /// job.
    private int await(AdminTarget target, String what, String path, String... form)
            throws Failure, IOException, InterruptedException {
        AdminSocketClient client = target.client();
        String job = String.valueOf(client.rows("POST", path, form).get(1).getFirst());
        List<@Nullable String> last;
        try (PageProgress progress = new PageProgress(screen(), what)) {
            last = ended(client, job, progress);
        }
        return end(String.valueOf(last.get(2)), String.valueOf(last.getLast()));
    }

    private static List<@Nullable String> ended(
            AdminSocketClient client, String job, PageProgress progress)
            throws Failure, IOException, InterruptedException {
        while (true) {
            List<@Nullable String> row = row(client, job);
            long total = Long.parseLong(String.valueOf(row.get(4)));
            if (total > 0) {
                progress.at(Long.parseLong(String.valueOf(row.get(3))), total);
            }
            if (!"running".equals(row.get(2))) {
                return row;
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    private static List<@Nullable String> row(AdminSocketClient client, String job)
            throws Failure, IOException {
        for (List<@Nullable String> row : client.rows("GET", "/admin/jobs")) {
            if (job.equals(row.getFirst())) {
                return row;
            }
        }
        throw new Failure("the server does not know of job " + job + " any more");
    }

    private int end(String state, String result) throws Failure {
        if (!state.equals("done")) {
            throw new Failure(result);
        }
        screen().out().println(result + ".");
        screen().out().flush();
        return 0;
    }
}

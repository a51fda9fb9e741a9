package dev.oriel.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/// The oriel command. Exit codes: 0 success, 1 the command failed, 2 wrong usage.
@Command(
        name = "oriel",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = {
            "@|bold Oriel|@: an embedded database for the JVM with a window into its own work."
        },
        synopsisHeading = "%nUsage: ",
        customSynopsis = {
            "@|bold oriel|@ COMMAND [@|yellow OPTION|@...] [ARGUMENT...]",
            "       @|bold oriel|@ COMMAND @|yellow --help|@"
        },
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions:%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:The command succeeded.",
            "1:It failed; standard error says why.",
            "2:It was used wrongly."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  oriel demo                               See what it can do, in under a minute.",
            "  oriel sql shop                           Type SQL into the database in the folder shop.",
            "  oriel sql shop -c \"SELECT * FROM item\"   Run one statement.",
            "  oriel sql shop <schema.sql               Run a script.",
            "  oriel gremlin shop                       Type Gremlin into a graph in the same tables.",
            "",
            "Environment:",
            "  JAVA_HOME        A JDK 25 or later; without it, one is looked for.",
            "  JAVA_OPTS        Further options for the JVM, such as -Xmx4g.",
            "  NO_COLOR         Set to anything, it turns colours off.",
            "  XDG_STATE_HOME   Where the histories of the shells are kept (~/.local/state)."
        },
        subcommands = {
            DemoCommand.class,
            SqlCommand.class,
            GremlinCommand.class,
            GraphCommand.class,
            CheckCommand.class,
            BackupCommand.class,
            DumpCommand.class,
            RestoreCommand.class,
            CompactCommand.class,
            ImportCommand.class,
            CompareCommand.class,
            ProfileCommand.class,
            ServeCommand.class,
            AdminCommand.class,
            StudioCommand.class,
            UserCommand.class,
            BenchCommand.class,
            HelpCommand.class
        })
public final class Main implements Runnable {
    private final Environment environment;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(
            names = {"-v", "--verbose"},
            scope = ScopeType.INHERIT,
            description = "Where something fails, show the stack trace too.")
    private boolean verbose;

    private Main(Environment environment) {
        this.environment = environment;
    }

    /// Runs the command and ends the process.
    public static void main(String[] args) {
        Environment environment = Environment.ofProcess();
        int exitCode = commandLine(environment).execute(args);
        environment.out().flush();
        exitCode = withOutput(exitCode, environment);
        environment.err().flush();
        System.exit(exitCode);
    }

    /// Returns the exit code: a command whose output is incomplete has failed too.
    static int withOutput(int exitCode, Environment environment) {
        IOException lost = environment.lost().get();
        if (exitCode != 0 || lost == null) {
            return exitCode;
        }
        environment.err().println("oriel: standard output cannot be written: " + lost.getMessage());
        return 1;
    }

    /// Creates the command line, ready to execute arguments.
    static CommandLine commandLine(Environment environment) {
        Main main = new Main(environment);
        Failures failures = new Failures(main);
        CommandLine line = new CommandLine(main);
        line.setHelpSectionKeys(commandsFirst(line.getHelpSectionKeys()));
        return line.setOut(environment.out())
                .setErr(environment.err())
                .setColorScheme(CommandLine.Help.defaultColorScheme(environment.ansi()))
                .setUsageHelpWidth(100)
                .setParameterExceptionHandler(failures)
                .setExecutionExceptionHandler(failures);
    }

    /// Orders the sections of the help: commands before options.
    private static List<String> commandsFirst(List<String> sections) {
        List<String> commands =
                List.of(
                        UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING,
                        UsageMessageSpec.SECTION_KEY_COMMAND_LIST);
        List<String> ordered = new ArrayList<>(sections);
        ordered.removeAll(commands);
        ordered.addAll(ordered.indexOf(UsageMessageSpec.SECTION_KEY_OPTION_LIST_HEADING), commands);
        return ordered;
    }

    Environment environment() {
        return environment;
    }

    boolean verbose() {
        return verbose;
    }

    /// Prints the help if no command is given.
    @Override
    public void run() {
        spec.commandLine().usage(environment.out());
    }
}

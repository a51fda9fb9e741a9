package dev.oriel.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/// `oriel graph`: operations on graphs that are not traversals.
@Command(
        name = "graph",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "Load graphs from files.",
        synopsisHeading = "%nUsage: ",
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  oriel graph load shop --vertices people.csv --edges knows.csv",
            "  oriel graph load air --vertices airport=airports.csv --id id --edges route=routes.csv"
                    + " --from source --to target --type distance=int --rejects bad.csv"
        },
        subcommands = {GraphLoadCommand.class})
final class GraphCommand implements Runnable {
    @ParentCommand
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Main main;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    Environment environment() {
        return main.environment();
    }

    /// Prints the help if no subcommand is given.
    @Override
    public void run() {
        spec.commandLine().usage(main.environment().out());
    }
}

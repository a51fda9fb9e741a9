package dev.oriel.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/// `oriel profile`: profiles JVM programs and examines profiles of any of them.
@Command(
        name = "profile",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "Profile a program, or look at a profile.",
        synopsisHeading = "%nUsage: ",
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions:%n",
        description = {
            "",
            "Records exact call trees and samples of any program of the JVM, and reads recordings of"
                    + " the Flight Recorder, async-profiler, pprof, hprof, JMH and its own."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  oriel profile run --include 'com.acme.**' -- java -jar acme.jar",
            "  oriel profile report profile.orun",
            "  oriel profile convert recording.jfr recording.html",
            "  oriel profile top 4711"
        },
        subcommands = {
            ProfileRunCommand.class,
            ProfileReportCommand.class,
            ProfileConvertCommand.class,
            ProfileTopCommand.class
        })
final class ProfileCommand implements Runnable {
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

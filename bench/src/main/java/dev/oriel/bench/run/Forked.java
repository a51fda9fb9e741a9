package dev.oriel.bench.run;

import dev.oriel.bench.Answer;
import dev.oriel.bench.Launch;
import dev.oriel.bench.Lines;
import dev.oriel.bench.Measurement;
import dev.oriel.bench.ParentWatchdog;
import dev.oriel.bench.Run;
import dev.oriel.bench.Scenario;
import dev.oriel.bench.Subject;
import dev.oriel.bench.Worker;
import dev.oriel.bench.Workload;
import dev.oriel.bench.results.Results;
import dev.oriel.compare.FreshJvm;
import dev.oriel.compare.FreshProcess;
import dev.oriel.compare.MemoryLimit;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// One scenario for one subject in a fresh JVM.
///
/// @param measurements its measurements, in order
/// @param answers its answers, if answers need not be the same
/// @param cannots cases that it cannot run
/// @param failure why it failed, or null
/// @param late whether its time expired before it was done; the measurements until then stand
public record Forked(
        List<Measurement> measurements,
        List<Answer.Answered> answers,
        List<Results.Note> cannots,
        @Nullable String failure,
        boolean late) {
    /// Options of every JVM unless the scenario says otherwise; later options win.
    private static final List<String> COMMON =
            List.of("--enable-native-access=ALL-UNNAMED", "-Xmx2g", "-Xshare:auto");

    private static final Pattern PATH = Pattern.compile("(^|[\\s'\"(=:])/[^\\s'\"):,]+");

    /// Runs it with the workload's classes on `classPath`.
    ///
    /// @param most after which it is ended
    public static Forked run(
            String classPath,
            Options options,
            Workload workload,
            Scenario scenario,
            Subject subject,
            Duration most,
            Consumer<String> phases)
            throws IOException, InterruptedException {
        Launch launch = subject.launch();
        if (launch == null) {
            launch = new Launch(FreshJvm.ownJava(), classPath, Worker.class.getName(), "");
        }
        if (!launch.missing().isEmpty()) {
            return new Forked(
                    List.of(), List.of(), missing(scenario, subject, launch), null, false);
        }
        List<String> jvmArgs = new ArrayList<>(COMMON);
        jvmArgs.addAll(scenario.jvmArgs());
        jvmArgs.addAll(subject.jvmArgs());
        jvmArgs.add("-D" + ParentWatchdog.PARENT + "=" + ProcessHandle.current().pid());
        jvmArgs.add("-D" + Run.SECONDS + "=" + Math.max(1, most.toSeconds()));
        try (Temporary folder = Temporary.below(options.folder());
                MemoryLimit limit = limit(scenario)) {
            if (limit == null && scenario.memoryBytesMax() > 0) {
                return failed("The system lets us make no control group to limit its memory");
            }
            List<String> arguments = arguments(options, workload, scenario, subject, folder.path());
            FreshJvm jvm =
                    new FreshJvm(
                            launch.java(),
                            jvmArgs,
                            launch.classPath(),
                            launch.main(),
                            arguments,
                            folder.path(),
                            most,
                            limit);
            return collect(jvm, subject, most, phases);
        }
    }

    private static List<Results.Note> missing(Scenario scenario, Subject subject, Launch launch) {
        return scenario.cases().stream()
                .map(name -> new Results.Note(name, subject.name(), launch.missing()))
                .toList();
    }

    private static @Nullable MemoryLimit limit(Scenario scenario) {
        return scenario.memoryBytesMax() > 0 ? MemoryLimit.of(scenario.memoryBytesMax()) : null;
    }

    private static List<String> arguments(
            Options options, Workload workload, Scenario scenario, Subject subject, Path folder) {
        return List.of(
                workload.name(),
                scenario.name(),
                subject.name(),
                options.scale().name().toLowerCase(Locale.ROOT),
                folder.toString(),
                Long.toString(options.seed()),
                options.cases());
    }

    private static Forked collect(
            FreshJvm jvm, Subject subject, Duration most, Consumer<String> phases)
            throws IOException, InterruptedException {
        List<Measurement> measurements = new ArrayList<>();
        List<Answer.Answered> answers = new ArrayList<>();
        List<Results.Note> cannots = new ArrayList<>();
        List<String> doing = new ArrayList<>();
        boolean[] late = {false};
        FreshProcess.Exit exit =
                jvm.run(line -> {
                    String[] fields = line.split("\t", -1);
                    if (!fields[0].equals(Lines.MARK)) {
                        return; // the peer's own output
                    }
                    switch (fields[1]) {
                        case Lines.MEASURED -> measurements.add(Lines.measurement(fields));
                        case Lines.ANSWERED -> answers.add(Answer.answered(fields));
                        case Lines.CANNOT ->
                                cannots.add(new Results.Note(fields[2], subject.name(), fields[3]));
                        case Lines.STOPPED -> {
                            late[0] = true;
                            cannots.add(new Results.Note(fields[2], subject.name(), fields[3]));
                        }
                        default -> {
                            if (!fields[2].isEmpty()) {
                                doing.add(fields[2]);
                            }
                            phases.accept(fields[2]);
                        }
                    }
                });
        if (exit.code() == 0) {
            return new Forked(measurements, answers, cannots, null, late[0]);
        }
        if (exit.code() == -1) {
            String what = doing.isEmpty() ? "" : ", while " + doing.getLast();
            String after = Lines.STOPPED + " after " + most.toSeconds() + " s" + what;
            return new Forked(measurements, answers, cannots, after, true);
        }
        String reason = "It ended with code " + exit.code() + cause(exit.errors());
        return new Forked(measurements, answers, cannots, reason + "\n" + exit.errors(), false);
    }

    /// The last line of the standard error that names an exception, without paths: they must not be published.
    private static String cause(String errors) {
        return errors.lines()
                .map(String::strip)
                .filter(line -> line.contains("Exception") || line.contains("Error"))
                .filter(line -> !line.startsWith("at "))
                .reduce((first, last) -> last)
                .map(line -> ": " + PATH.matcher(line).replaceAll("$1..."))
                .orElse("");
    }

    private static Forked failed(String why) {
        return new Forked(List.of(), List.of(), List.of(), why, false);
    }
}

package dev.oriel.bench.run;

import dev.oriel.bench.Catalog;
import dev.oriel.bench.Lines;
import dev.oriel.bench.Scenario;
import dev.oriel.bench.Subject;
import dev.oriel.bench.Workload;
import dev.oriel.bench.results.Origin;
import dev.oriel.bench.results.Results;
import dev.oriel.bench.results.Rounds;
import dev.oriel.compare.Interleaving;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/// Runs workloads: pass by pass over all scenarios, each subject in a fresh JVM, interleaved, until every interval
/// is narrow enough or the time is up. The passes spread each scenario's rounds over the whole time, so that an
/// hour of a busy machine affects all of them alike.
public final class Bench {
    /// The progress of one scenario.
    private static final class Course {
        final Workload workload;
        final Scenario scenario;
        final Interleaving<String> order;
        final Rounds figures = new Rounds();
        final Map<String, Integer> failures = new LinkedHashMap<>();
        final Set<String> alive;

        /// Duration of the last round; before the first one, its expected duration.
        Duration lastRound;

        /// Whether `lastRound` was measured in this run.
        boolean timed;

        Course(Workload workload, Scenario scenario, List<String> subjects, long seed) {
            this.workload = workload;
            this.scenario = scenario;
            this.alive = new LinkedHashSet<>(subjects);
            this.order = new Interleaving<>(subjects, seed ^ scenario.name().hashCode());
            this.lastRound = scenario.expected().multipliedBy(subjects.size());
        }

        String label() {
            return workload.name() + "/" + scenario.name();
        }

        double widest() {
            return figures.widest(alive);
        }

        boolean hasBegun() {
            return figures.rounds() > 0;
        }

        /// Takes the subject out of this scenario.
        void retire(String subject) {
            order.remove(subject);
            alive.remove(subject);
        }
    }

    /// Number of failures after which a subject is taken out of a scenario.
    private static final int FAILURES_MAX = 2;

    private final Catalog catalog;
    private final Options options;
    private final Progress progress;
    private final Consumer<Bench> afterRound;
    private final List<Course> courses = new ArrayList<>();
    private final Set<Results.Note> notes = new LinkedHashSet<>();
    private final long start = System.nanoTime();
    private TimeBudget allotment;
    private boolean failed;

    /// Sum of the expected durations of completed first rounds, in nanoseconds; `tookSoFar` is the sum of their
    /// actual ones.
    private double expectedSoFar = 1;

    private double tookSoFar = 1;

    /// @param chosen the workloads, in order
    /// @param subjects the subjects that take part
    /// @param afterRound called after each round, to save the results
    public Bench(
            Catalog catalog,
            Options options,
            List<Workload> chosen,
            List<Subject> subjects,
            Progress progress,
            Consumer<Bench> afterRound) {
        this.catalog = catalog;
        this.options = options;
        this.progress = progress;
        this.afterRound = afterRound;
        Pattern cases = Pattern.compile(options.cases());
        Set<String> names = new LinkedHashSet<>();
        subjects.forEach(subject -> names.add(subject.name()));
        for (Workload workload : chosen) {
            for (Scenario scenario : workload.scenarios(options.scale(), subjects)) {
                boolean wanted = scenario.cases().stream().anyMatch(cases.asPredicate());
                List<String> own = scenario.subjects().stream().filter(names::contains).toList();
                if (wanted && !own.isEmpty()) {
                    courses.add(new Course(workload, scenario, own, options.seed()));
                }
            }
        }
        allotment = new TimeBudget(options.budget(), claims());
    }

    /// Whether no chosen workload has a wanted case.
    public boolean isEmpty() {
        return courses.isEmpty();
    }

    /// The expected time of the first rounds that have not run yet.
    private Duration claims() {
        return courses.stream()
                .filter(course -> !course.hasBegun())
                .map(course -> course.lastRound)
                .reduce(Duration.ZERO, Duration::plus);
    }

    /// A description of the run and its duration, for users.
    public String plan() {
        long begun = courses.stream().filter(Course::hasBegun).count();
        int jvms = courses.stream().mapToInt(course -> course.alive.size()).sum();
        String all =
                "%d scenarios, %d JVMs a round%s. "
                        .formatted(
                                courses.size(),
                                jvms,
                                begun == 0 ? "" : ", " + begun + " begun by an earlier run");
        String first = Progress.hours(claims());
        String budget = Progress.hours(options.budget());
        if (!allotment.isBinding()) {
            return all
                    + "A first round takes about %s. It is finished, but after %s none is begun."
                            .formatted(first, budget);
        }
        return all
                + "A first round takes about %s; %s at most, for which slow subjects are stopped. %s"
                        .formatted(first, budget, repeats());
    }

    private String repeats() {
        if (Double.isFinite(options.widthGoal())) {
            return String.format(
                    Locale.ROOT,
                    "Rounds are repeated until intervals are within %.0f %% or that time is up.",
                    options.widthGoal() * 100);
        }
        int rounds = options.roundsMin();
        return rounds == 1
                ? "There is one round."
                : "There are %d rounds, if that time allows them.".formatted(rounds);
    }

    /// Resumes an earlier run: its rounds count, and their orders are skipped.
    public void resume(Results earlier) {
        for (Course course : courses) {
            int rounds = earlier.rounds().getOrDefault(course.label(), 0);
            for (int round = 0; round < rounds; round++) {
                course.order.next();
                course.figures.beginRound();
            }
            Set<String> cases = Set.copyOf(course.scenario.cases());
            earlier.results().stream()
                    .filter(result -> cases.contains(result.caseName()))
                    .filter(result -> course.scenario.subjects().contains(result.subject()))
                    .forEach(course.figures::restore);
            earlier.notes().stream()
                    .filter(note -> note.text().startsWith(Lines.STOPPED))
                    .filter(note ->
                            note.caseName().equals(course.label())
                                    || cases.contains(note.caseName()))
                    .forEach(note -> course.retire(note.subject()));
        }
        notes.addAll(earlier.notes());
        allotment = new TimeBudget(options.budget(), claims());
    }

    /// Runs until done; true if nothing failed and all subjects read the same.
    public boolean run() throws IOException, InterruptedException {
        for (List<Course> pass = wanted(); !pass.isEmpty(); pass = wanted()) {
            for (int i = 0; i < pass.size(); i++) {
                Course course = pass.get(i);
                if (course.hasBegun() && !fits(course)) {
                    continue;
                }
                round(course, pass.subList(i, pass.size()));
                afterRound.accept(this);
            }
        }
        progress.done();
        courses.forEach(course -> notes.addAll(course.figures.differences()));
        boolean same = courses.stream().allMatch(course -> course.figures.differences().isEmpty());
        return same && !failed;
    }

    /// The scenarios of the next pass: all until each has its minimum of rounds. After that, scenarios with wide
    /// intervals, the widest first.
    private List<Course> wanted() {
        List<Course> few =
                courses.stream()
                        .filter(course -> !course.alive.isEmpty())
                        .filter(course -> course.figures.rounds() < least(course))
                        .filter(course -> !course.hasBegun() || fits(course))
                        .toList();
        if (!few.isEmpty()) {
            return few;
        }
        return courses.stream()
                .filter(course -> !course.alive.isEmpty())
                .filter(course -> course.figures.rounds() < course.scenario.roundsMax())
                .filter(course -> course.widest() > options.widthGoal())
                .filter(this::fits)
                .sorted(Comparator.comparingDouble(course -> -course.widest()))
                .toList();
    }

    private int least(Course course) {
        return Math.min(options.roundsMin(), course.scenario.roundsMax());
    }

    private boolean fits(Course course) {
        return allotment.fits(course.lastRound, elapsed());
    }

    private Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    /// Remaining time of a pass, estimated from its last rounds. Before the first round, estimated from the expected
    /// times and their error so far.
    private Progress.Left left(List<Course> pass) {
        double nanos = 0;
        for (Course course : pass) {
            double pace = course.timed ? 1 : tookSoFar / expectedSoFar;
            nanos += pace * course.lastRound.toNanos();
        }
        return new Progress.Left(pass.size(), Duration.ofNanos((long) nanos));
    }

    private void round(Course course, List<Course> pass) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        boolean first = !course.hasBegun();
        Progress.Left left = left(pass);
        course.figures.beginRound();
        int number = course.figures.rounds();
        for (String name : course.order.next()) {
            String label = course.label() + ": " + name + " (round " + number + ")";
            progress.show(label, "", elapsed(), options.budget(), left);
            Duration most =
                    first
                            ? allotment.first(course.scenario, elapsed())
                            : allotment.again(course.scenario, elapsed());
            Forked forked =
                    Forked.run(
                            System.getProperty("java.class.path"),
                            options,
                            course.workload,
                            course.scenario,
                            catalog.subject(course.workload, name),
                            most,
                            phase ->
                                    progress.show(label, phase, elapsed(), options.budget(), left));
            take(course, name, forked);
        }
        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        if (first) {
            expectedSoFar += course.lastRound.toNanos();
            tookSoFar += took.toNanos();
        }
        course.lastRound = took;
        course.timed = true;
    }

    private void take(Course course, String subject, Forked forked) {
        String failure = forked.failure();
        boolean timeIsUp = elapsed().compareTo(options.budget()) >= 0;
        if (forked.late() && timeIsUp && course.figures.rounds() > 1) {
            return; // the run's time was over, not the subject's
        }
        notes.addAll(forked.cannots());
        if (failure == null || forked.late()) {
            forked.measurements().forEach(one -> course.figures.add(subject, one));
            forked.answers().forEach(one -> course.figures.add(subject, one));
        }
        if (forked.late()) {
            String how = failure == null ? "stopped, because its time was over" : failure;
            progress.line(course.label() + ": " + subject + " " + how);
            if (failure != null) {
                notes.add(new Results.Note(course.label(), subject, failure));
            }
            failed |= failure != null && subject.startsWith("oriel"); // Oriel must not hang
            course.retire(subject);
            return;
        }
        if (failure == null) {
            return;
        }
        failed = true;
        progress.line(course.label() + ": " + subject + " failed. " + failure);
        notes.add(
                new Results.Note(
                        course.label(),
                        subject,
                        "failed: " + failure.lines().findFirst().orElse("")));
        if (course.failures.merge(subject, 1, Integer::sum) >= FAILURES_MAX) {
            course.retire(subject);
        }
    }

    /// Joins the settings of a subject that takes part in two workloads.
    private static String joined(String one, String other) {
        return one.contains(other) ? one : one + " " + other;
    }

    /// The results so far.
    public Results results(String date, Origin origin) {
        Map<String, Integer> rounds = new LinkedHashMap<>();
        Map<String, String> settings = new LinkedHashMap<>();
        Set<String> workloads = new LinkedHashSet<>();
        List<Results.Result> results = new ArrayList<>();
        for (Course course : courses) {
            workloads.add(course.workload.name());
            rounds.put(course.label(), course.figures.rounds());
            List<Results.Result> found = course.figures.results();
            results.addAll(found);
            Set<String> heard = new LinkedHashSet<>(course.alive);
            found.forEach(result -> heard.add(result.subject()));
            for (String subject : course.scenario.subjects()) {
                if (heard.contains(subject)) {
                    String text = catalog.subject(course.workload, subject).settings();
                    settings.merge(subject, text, Bench::joined);
                }
            }
        }
        return new Results(
                String.join(",", workloads),
                origin.machine(),
                date,
                origin.commit(),
                options.command(),
                options.scale().name().toLowerCase(Locale.ROOT),
                options.seed(),
                rounds,
                settings,
                List.copyOf(notes),
                results);
    }
}

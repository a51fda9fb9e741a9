package dev.oriel.bench;

/// The lines by which a run in a fresh JVM talks to its parent: a mark, a kind, fields between tabs. Lines that a
/// peer prints itself have no mark and are skipped.
public final class Lines {
    /// Beginning of each line.
    public static final String MARK = "@oriel";

    /// The kind of a figure.
    public static final String MEASURED = "measured";

    /// The kind of a report of a case that a subject cannot run.
    public static final String CANNOT = "cannot";

    /// The kind of a report of a case whose subject was stopped at its time limit; notes about it begin with this word
    /// too.
    public static final String STOPPED = "stopped";

    /// The kind of a phase.
    static final String PHASE = "phase";

    /// The kind of an answer.
    public static final String ANSWERED = "answered";

    private Lines() {}

    /// The line of a figure.
    static String of(Measurement m) {
        return String.join(
                "\t",
                MARK,
                MEASURED,
                m.caseName(),
                m.metric(),
                m.unit(),
                Double.toString(m.value()),
                Double.toString(m.cpuPerOp()),
                Double.toString(m.bytesPerOp()),
                m.durability().name(),
                Long.toString(m.checksum()));
    }

    /// The figure of such a line, by its fields.
    public static Measurement measurement(String[] fields) {
        return new Measurement(
                fields[2],
                fields[3],
                fields[4],
                Double.parseDouble(fields[5]),
                Double.parseDouble(fields[6]),
                Double.parseDouble(fields[7]),
                Durability.valueOf(fields[8]),
                Long.parseLong(fields[9]));
    }

    /// The line of a case that a subject cannot run.
    static String cannot(String caseName, String why) {
        return String.join("\t", MARK, CANNOT, caseName, oneLine(why));
    }

    /// The line of a stopped subject.
    static String stopped(String caseName, String how) {
        return String.join("\t", MARK, STOPPED, caseName, STOPPED + " " + oneLine(how));
    }

    /// The line of the phase `what`; empty for none.
    static String phase(String what) {
        return String.join("\t", MARK, PHASE, oneLine(what));
    }

    private static String oneLine(String text) {
        return text.replaceAll("[\\t\\r\\n]+", " ");
    }
}

package dev.oriel.bench;

import java.util.Arrays;
import java.util.List;

/// The lines by which a run in a fresh JVM talks to its parent: a mark, a kind, fields between
/// tabs. What a peer prints itself has no mark and is passed over.
final class Lines {
    static final String MARK = "@oriel";
    static final String MEASURED = "measured";
    static final String CANNOT = "cannot";

    /// What a note begins with, too, that says of somebody that its time was over.
    static final String STOPPED = "stopped";

    static final String PHASE = "phase";
    static final String ANSWERED = "answered";

    private Lines() {}

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

    static Measurement measurement(String[] fields) {
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

    static String answered(String caseName, TpchAnswer answer) {
        StringBuilder line = new StringBuilder();
        line.append(String.join("\t", MARK, ANSWERED, caseName));
        line.append('\t').append(answer.whole()).append('\t').append(answer.rest());
        answer.quotients().forEach(one -> line.append('\t').append(one));
        return line.toString();
    }

    static Answered answered(String[] fields) {
        List<Double> quotients = Arrays.stream(fields).skip(5).map(Double::valueOf).toList();
        return new Answered(
                fields[2],
                new TpchAnswer(Long.parseLong(fields[3]), Long.parseLong(fields[4]), quotients));
    }

    /// An answer to the question of a case.
    record Answered(String caseName, TpchAnswer answer) {}

    static String cannot(String caseName, String why) {
        return String.join("\t", MARK, CANNOT, caseName, oneLine(why));
    }

    static String stopped(String caseName, String how) {
        return String.join("\t", MARK, STOPPED, caseName, STOPPED + " " + oneLine(how));
    }

    static String phase(String what) {
        return String.join("\t", MARK, PHASE, oneLine(what));
    }

    private static String oneLine(String text) {
        return text.replaceAll("[\\t\\r\\n]+", " ");
    }
}

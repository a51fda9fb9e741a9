package dev.oriel.bench.couchbase;

import dev.oriel.bench.Subject;
import dev.oriel.bench.Subjects;
import dev.oriel.kv.Status;
import java.util.List;

/// Our table of statuses, and the ways of the article.
public final class StatusSubjects implements Subjects {
    static final String OURS = "oriel-table-of-statuses";

    /// Found by `ServiceLoader`.
    public StatusSubjects() {}

    @Override
    public List<Subject> subjects() {
        return List.of(
                new StatusDecoding(
                        OURS,
                        "One read of an array of 256, whatever the number.",
                        StatusSubjects::ours),
                new StatusDecoding(
                        "status-values",
                        "The article's beginning: a loop over values(), which is a new array each time.",
                        StatusSubjects::values),
                new StatusDecoding(
                        "status-cached",
                        "A reader's remark: a loop over an array that is made once.",
                        StatusSubjects::cached),
                new StatusDecoding(
                        "status-reordered",
                        "The same with the common statuses first.",
                        StatusSubjects::reordered),
                new StatusDecoding(
                        "status-two",
                        "The article's first repair: two statuses compared first, then the loop.",
                        StatusSubjects::two),
                new StatusDecoding(
                        "status-if",
                        "Its second: the seven common ones compared one by one, then the loop.",
                        StatusSubjects::ifs),
                new StatusDecoding(
                        "status-switch",
                        "The same seven by a switch, then the loop.",
                        StatusSubjects::switched));
    }

    private static int ours(int[] codes) {
        int sum = 0;
        for (int code : codes) {
            sum += Status.of(code).code();
        }
        return sum;
    }

    private static int values(int[] codes) {
        int sum = 0;
        for (int code : codes) {
            sum += WireStatus.byValues(code).code();
        }
        return sum;
    }

    private static int cached(int[] codes) {
        int sum = 0;
        for (int code : codes) {
            sum += WireStatus.byCached(code).code();
        }
        return sum;
    }

    private static int reordered(int[] codes) {
        int sum = 0;
        for (int code : codes) {
            sum += WireStatus.byReordered(code).code();
        }
        return sum;
    }

    private static int two(int[] codes) {
        int sum = 0;
        for (int code : codes) {
            sum += WireStatus.byTwo(code).code();
        }
        return sum;
    }

    private static int ifs(int[] codes) {
        int sum = 0;
        for (int code : codes) {
            sum += WireStatus.byIf(code).code();
        }
        return sum;
    }

    private static int switched(int[] codes) {
        int sum = 0;
        for (int code : codes) {
            sum += WireStatus.bySwitch(code).code();
        }
        return sum;
    }
}

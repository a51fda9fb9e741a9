package dev.oriel.testkit.history;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// Histories written down, a transaction a line, as
///
/// ```
/// 1-4 committed: read 1 = nothing; write 1 5; list 2 = 20 21; append 2 22
/// ```
///
/// with the times of its begin and end. The transactions are numbered from 0.
final class HistoryText {
    private HistoryText() {}

    static History parse(String text) {
        return History.of(text.lines().map(HistoryText::transaction).toList());
    }

    private static Recorder transaction(String line) {
        Recorder recorder = new Recorder();
        List<String> parts = List.of(line.split(": ?", 2));
        List<String> head = List.of(parts.get(0).split("[- ]", -1));
        recorder.begin(Long.parseLong(head.get(0)));
        for (String op : parts.get(1).split("; ?", -1)) {
            operation(recorder, op.strip());
        }
        Outcome outcome = Outcome.valueOf(head.get(2).toUpperCase(Locale.ROOT));
        recorder.end(outcome, Long.parseLong(head.get(1)));
        return recorder;
    }

    private static void operation(Recorder recorder, String text) {
        List<String> words = List.of(text.split(" ", -1));
        long key = Long.parseLong(words.get(1));
        String last = words.getLast();
        switch (words.get(0)) {
            case "read" ->
                    recorder.read(
                            key, last.equals("nothing") ? History.NOTHING : Long.parseLong(last));
            case "write" -> recorder.write(key, Long.parseLong(last));
            case "append" -> recorder.append(key, Long.parseLong(last));
            case "list" -> {
                long[] found = words.stream().skip(3).mapToLong(Long::parseLong).toArray();
                recorder.readList(key, Arrays.copyOf(found, found.length + 3), found.length);
            }
            default -> throw new IllegalArgumentException(text);
        }
    }
}

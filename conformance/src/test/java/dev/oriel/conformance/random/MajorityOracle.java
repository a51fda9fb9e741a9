package dev.oriel.conformance.random;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Holds our answer against those of peers, and counts.
///
/// Ours is right where nobody differs, or where of those who have an answer more are with us than
/// against us, and two at least: then the others are outvoted, which is counted and shown for each.
/// A peer that says that it cannot do something abstains. An error of values is right where a peer
/// has one as well, because which values are looked at is nobody's promise. Where we are alone with it, the
/// query is asked again with numbers that do not overflow ([Dialect#WIDE]): if that answer is right, the
/// value that was too large is one that the answer has no use for, as a column that nobody reads.
final class MajorityOracle {
    private final Map<String, Integer> asked = new TreeMap<>();
    private final Map<String, Integer> answered = new TreeMap<>();
    private final Map<String, List<String>> outvoted = new TreeMap<>();
    private final Map<String, Map<String, Integer>> abstained = new TreeMap<>();
    private final List<String> alone = new ArrayList<>();
    private int unheld;

    /// What is wrong with `ours`, beginning with a line that says of what kind it is; null where
    /// nothing is.
    ///
    /// @param peers what they answered, by their name
    /// @param wide ours without overflow
    static @Nullable String difference(
            Answer ours, Map<String, Answer> peers, Supplier<Answer> wide) {
        if (ours.failed() && !ours.failedByValue()) {
            return "error " + ours.state() + "\noriel: " + ours;
        }
        if (!ours.failedByValue()) {
            return outvoted(ours, peers);
        }
        if (!alone(ours, peers)) {
            return null;
        }
        Answer again = wide.get();
        return !again.failed() && outvoted(again, peers) == null
                ? null
                : "fails alone\noriel: " + ours + "\nwide: " + again + shown(peers);
    }

    /// Whether we have an error of values and nobody else.
    static boolean alone(Answer ours, Map<String, Answer> peers) {
        return ours.failedByValue()
                && peers.values().stream().noneMatch(Answer::failedByValue)
                && peers.values().stream().anyMatch(answer -> !answer.failed());
    }

    private static @Nullable String outvoted(Answer ours, Map<String, Answer> peers) {
        List<String> with = new ArrayList<>();
        List<String> against = new ArrayList<>();
        peers.forEach((name, answer) -> {
            if (!answer.failed()) {
                (answer.rows().equals(ours.rows()) ? with : against).add(name);
            }
        });
        if (against.isEmpty() || (with.size() >= 2 && with.size() > against.size())) {
            return null;
        }
        return "differs from " + against + "\noriel: " + ours + shown(peers);
    }

    private static String shown(Map<String, Answer> peers) {
        StringBuilder shown = new StringBuilder();
        peers.forEach(
                (name, answer) -> shown.append('\n').append(name).append(": ").append(answer));
        return shown.toString();
    }

    /// Counts what became of a query.
    void count(Piece query, Answer ours, Map<String, Answer> peers) {
        int judges = 0;
        if (alone(ours, peers)) {
            alone.add(query + "\n  oriel " + ours);
        }
        for (Map.Entry<String, Answer> peer : peers.entrySet()) {
            String name = peer.getKey();
            Answer answer = peer.getValue();
            asked.merge(name, 1, Integer::sum);
            if (answer.failed()) {
                String cause =
                        answer.state() + " " + answer.message().lines().findFirst().orElse("");
                abstained
                        .computeIfAbsent(name, _ -> new LinkedHashMap<>())
                        .merge(
                                cause.replaceAll("\"[^\"]*\"|'[^']*'|\\d{3,}", "_"),
                                1,
                                Integer::sum);
                continue;
            }
            judges++;
            answered.merge(name, 1, Integer::sum);
            if (!ours.failed() && !answer.rows().equals(ours.rows())) {
                outvoted.computeIfAbsent(name, _ -> new ArrayList<>())
                        .add(query + "\n  oriel " + ours + "\n  " + name + " " + answer);
            }
        }
        unheld += judges == 0 ? 1 : 0;
    }

    /// How often a value was too large that the answer has no use for.
    int alone() {
        return alone.size();
    }

    /// How many queries nobody else answered.
    int unheld() {
        return unheld;
    }

    /// The share of what it was asked that a peer answered.
    double share(String name) {
        return answered.getOrDefault(name, 0) / (double) Math.max(1, asked.getOrDefault(name, 0));
    }

    /// How often a peer was alone, or nearly.
    int outvoted(String name) {
        return outvoted.getOrDefault(name, List.of()).size();
    }

    private static String shortest(List<String> queries, int count) {
        StringBuilder text = new StringBuilder();
        queries.stream()
                .sorted((a, b) -> Integer.compare(a.length(), b.length()))
                .limit(count)
                .forEach(query -> text.append("  ").append(query).append('\n'));
        return text.toString();
    }

    /// @param examples how many are shown of each peer, and of errors that nobody else has
    String text(int examples) {
        StringBuilder text = new StringBuilder();
        text.append(shortest(alone, examples));
        asked.forEach((name, count) -> {
            List<String> differs = outvoted.getOrDefault(name, List.of());
            text.append(
                    "%s: asked %d, answered %d, outvoted %d%n"
                            .formatted(
                                    name, count, answered.getOrDefault(name, 0), differs.size()));
            text.append(shortest(differs, examples));
            abstained.getOrDefault(name, Map.of()).entrySet().stream()
                    .sorted((a, b) -> b.getValue() - a.getValue())
                    .limit(examples == 0 ? 0 : 8)
                    .forEach(cause ->
                            text.append("  abstained ")
                                    .append(cause.getValue())
                                    .append(" times: ")
                                    .append(cause.getKey())
                                    .append('\n'));
        });
        return text.toString();
    }
}

package dev.oriel.server;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Checks text in Prometheus's exposition format: its form, and the rules for names.
final class MetricsText {
    private static final Pattern SAMPLE =
            Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)\\})? (\\S+)");
    private static final Pattern LABEL =
            Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\\n]|\\\\[\\\\n\"])*)\",?");
    private static final Set<String> TYPES = Set.of("counter", "gauge", "histogram");
    private static final List<String> WRONG_UNITS =
            List.of("milliseconds", "micros", "nanos", "millis", "minutes", "kilobytes", "percent");

    private final List<String> faults = new ArrayList<>();
    private final Map<String, String> types = new HashMap<>();
    private final Set<String> helped = new HashSet<>();
    private final Set<String> samples = new HashSet<>();
    private final Map<String, Double> lastBucket = new HashMap<>();
    private final Map<String, Double> values = new HashMap<>();
    private String family = "";

    /// What is wrong with `text`, a sentence each.
    static List<String> faults(String text) {
        MetricsText read = new MetricsText();
        if (!text.endsWith("\n")) {
            read.faults.add("the last line has no end");
        }
        text.lines().forEach(read::line);
        read.types.keySet().stream()
                .filter(name -> !read.helped.contains(name))
                .forEach(name -> read.faults.add(name + " has no help"));
        return read.faults;
    }

    private void line(String line) {
        String[] words = line.split(" ", 4);
        if (line.startsWith("# HELP ")) {
            if (!helped.add(words[2]) || words.length < 4) {
                faults.add("twice, or without words: " + line);
            }
        } else if (line.startsWith("# TYPE ")) {
            family = words[2];
            if (types.put(words[2], words[3]) != null || !TYPES.contains(words[3])) {
                faults.add("twice, or no type: " + line);
            }
            name(words[2], words[3]);
        } else {
            sample(line);
        }
    }

    private void name(String name, String type) {
        if (type.equals("counter") != name.endsWith("_total")) {
            faults.add(name + ": counters, and they alone, end with _total");
        }
        WRONG_UNITS.stream()
                .filter(name::contains)
                .forEach(unit -> faults.add(name + " is not in seconds, bytes or shares"));
        boolean shared = name.startsWith("process_") || name.equals("target_info");
        if (!name.startsWith("oriel_") && !shared) {
            faults.add(name + " has no prefix");
        }
    }

    private void sample(String line) {
        Matcher matcher = SAMPLE.matcher(line);
        if (!matcher.matches()) {
            faults.add("no sample: " + line);
            return;
        }
        String name = matcher.group(1);
        String labels = matcher.group(2) == null ? "" : matcher.group(2);
        double value = Double.parseDouble(matcher.group(3));
        String type = types.getOrDefault(family, "");
        boolean belongs =
                type.equals("histogram")
                        ? name.matches(family + "_(bucket|sum|count)")
                        : name.equals(family);
        if (!belongs) {
            faults.add("not below its TYPE: " + line);
        }
        if (!samples.add(name + "{" + labels + "}")) {
            faults.add("twice: " + line);
        }
        if (!LABEL.matcher(labels).replaceAll("").isEmpty()) {
            faults.add("no labels: " + line);
        }
        if (!type.equals("gauge") && value < 0) {
            faults.add("below 0: " + line);
        }
        if (type.equals("histogram")) {
            bucket(name, labels, value, line);
        }
    }

    private void bucket(String name, String labels, double value, String line) {
        String rest = labels.replaceFirst(",?le=\"[^\"]*\"", "");
        if (name.endsWith("_bucket")) {
            if (value < lastBucket.getOrDefault(rest, 0.0)) {
                faults.add("fewer than in the bucket before: " + line);
            }
            lastBucket.put(rest, value);
            if (labels.contains("le=\"+Inf\"")) {
                values.put(rest, value);
            }
        } else if (name.endsWith("_count") && value != values.getOrDefault(rest, -1.0)) {
            faults.add("not as many as in the last bucket: " + line);
        }
    }
}

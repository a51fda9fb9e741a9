package dev.oriel.bench.results;

import dev.oriel.bench.results.Results.Note;
import dev.oriel.bench.results.Results.Result;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Merges the results of several invocations, so that a document can show a quick run of everything and a long one
/// of a few cases. A case is taken whole from the last file that has it, never in parts: its subjects are compared
/// within one run. Notes without a subject name the run of a workload or a case.
public final class ResultsMerge {
    private static final String ORIGIN = "Measured ";

    private ResultsMerge() {}

    /// The parts as one; later ones replace cases of earlier ones.
    ///
    /// @throws IllegalArgumentException if there is no part
    @SuppressWarnings("ReferenceEquality") // the same file may be given twice
    public static Results of(List<Results> parts) {
        if (parts.isEmpty()) {
            throw new IllegalArgumentException("No results to merge");
        }
        if (parts.size() == 1) {
            return parts.getFirst();
        }
        Map<String, Results> origin = new LinkedHashMap<>();
        Map<String, Results> talked = new HashMap<>();
        Map<String, Integer> rounds = new TreeMap<>();
        Map<String, String> settings = new TreeMap<>();
        for (Results part : parts) {
            part.results().forEach(result -> origin.put(result.caseName(), part));
            part.notes().forEach(note -> talked.put(note.caseName(), part));
            rounds.putAll(part.rounds());
            settings.putAll(part.settings());
        }
        List<Note> notes = new ArrayList<>(origins(origin));
        List<Result> results = new ArrayList<>();
        for (Results part : parts) {
            for (Note note : part.notes()) {
                Results owner = origin.getOrDefault(note.caseName(), talked.get(note.caseName()));
                if (owner == part && !isOrigin(note)) {
                    notes.add(note);
                }
            }
            part.results().stream()
                    .filter(result -> origin.get(result.caseName()) == part)
                    .forEach(results::add);
        }
        Results last = parts.getLast();
        return new Results(
                workloads(parts),
                joined(parts, Results::machine),
                joined(parts, Results::date),
                joined(parts, Results::commit),
                joined(parts, Results::command),
                joined(parts, Results::scale),
                last.seed(),
                rounds,
                settings,
                notes,
                results);
    }

    /// Whether a note names the run that figures come from.
    public static boolean isOrigin(Note note) {
        return note.subject().isEmpty() && note.text().startsWith(ORIGIN);
    }

    /// One note for a workload if all its results are from one run, or else one for each case.
    private static List<Note> origins(Map<String, Results> origin) {
        Map<String, Set<Results>> byWorkload = new LinkedHashMap<>();
        origin.forEach((caseName, part) ->
                byWorkload
                        .computeIfAbsent(Cases.workload(caseName), any -> new LinkedHashSet<>())
                        .add(part));
        Set<Note> notes = new LinkedHashSet<>();
        origin.forEach((caseName, part) -> {
            Note earlier = originOf(part, caseName);
            String workload = Cases.workload(caseName);
            boolean whole = byWorkload.getOrDefault(workload, Set.of()).size() == 1;
            String name = whole ? workload : caseName;
            if (earlier == null) {
                notes.add(new Note(name, "", text(part)));
            } else if (earlier.caseName().equals(workload)) {
                notes.add(new Note(name, "", earlier.text()));
            } else {
                notes.add(new Note(caseName, "", earlier.text()));
            }
        });
        return List.copyOf(notes);
    }

    /// The note of an earlier merge about the case.
    private static @Nullable Note originOf(Results part, String caseName) {
        Note found = null;
        for (Note note : part.notes()) {
            if (isOrigin(note)
                    && (note.caseName().equals(caseName)
                            || note.caseName().equals(Cases.workload(caseName)))) {
                found = note;
            }
        }
        return found;
    }

    private static String text(Results part) {
        return ORIGIN
                + part.date()
                + " on "
                + part.machine()
                + ", commit "
                + part.commit()
                + ", scale "
                + part.scale()
                + ", seed "
                + part.seed()
                + ".";
    }

    private static String workloads(List<Results> parts) {
        Set<String> names = new LinkedHashSet<>();
        for (Results part : parts) {
            for (String name : part.workload().split(",", -1)) {
                names.add(name.strip());
            }
        }
        return String.join(",", names);
    }

    private static String joined(List<Results> parts, Function<Results, String> field) {
        return parts.stream().map(field).distinct().collect(Collectors.joining("; "));
    }
}

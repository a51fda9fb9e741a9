package dev.oriel.bench.report;

import dev.oriel.bench.results.CaseTable;
import dev.oriel.bench.results.CaseTable.Row;
import dev.oriel.bench.results.Cases;
import dev.oriel.bench.results.Figures;
import dev.oriel.bench.results.Results.Result;
import dev.oriel.bench.targets.Measured;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Growth of an operation's cost, and of a record's size on disk, with the number of records: a table for cases
/// that differ in nothing else, a line a subject.
final class GrowthTable {
    private final String family;
    private final List<CaseTable> sizes;

    /// @param sizes the cases, from few records to many
    private GrowthTable(String family, List<CaseTable> sizes) {
        this.family = family;
        this.sizes = sizes;
    }

    /// Writes the tables of growth; nothing if sizes were not varied.
    static void writeAll(List<CaseTable> tables, StringBuilder out) {
        Map<String, List<CaseTable>> families = families(tables);
        if (families.isEmpty()) {
            return;
        }
        out.append("\n## Growth\n");
        out.append("Time an operation takes by the number of records, then what a record takes");
        out.append(" on disk.\n");
        families.forEach((name, sizes) -> new GrowthTable(name, sizes).write(out));
    }

    /// Cases by main figures that differ only in the number of records, by their common name.
    static Map<String, List<CaseTable>> families(List<CaseTable> tables) {
        Map<String, List<CaseTable>> families = new LinkedHashMap<>();
        for (CaseTable table : tables) {
            if (Cases.count(table.caseName()) > 0 && CaseTable.isMain(table.metric())) {
                String family = Cases.SIZE.matcher(table.caseName()).replaceAll("N x $2");
                families.computeIfAbsent(family, any -> new ArrayList<>()).add(table);
            }
        }
        families.values().removeIf(family -> family.size() < 2);
        families.values()
                .forEach(family ->
                        family.sort(
                                Comparator.comparingLong(table -> Cases.count(table.caseName()))));
        return families;
    }

    private void write(StringBuilder out) {
        boolean files = sizes.stream().anyMatch(table -> !filed(table).isEmpty());
        StringBuilder head = new StringBuilder("| subject |");
        StringBuilder rule = new StringBuilder("|---|");
        for (CaseTable table : sizes) {
            head.append(' ').append(Figures.count(Cases.count(table.caseName()))).append(" |");
            rule.append("---:|");
        }
        if (files) {
            for (CaseTable table : sizes) {
                head.append(" file, ").append(Figures.count(Cases.count(table.caseName())));
                head.append(" |");
                rule.append("---:|");
            }
        }
        out.append("\n### ").append(family).append('\n');
        out.append(head).append('\n').append(rule).append('\n');
        for (String subject : subjects()) {
            boolean ours = subject.startsWith("oriel");
            out.append("| ").append(ours ? "**" + subject + "**" : subject).append(" |");
            for (CaseTable table : sizes) {
                Result result = main(table, subject);
                cell(out, result == null ? "" : Figures.time(Measured.perOp(result)));
            }
            for (CaseTable table : files ? sizes : List.<CaseTable>of()) {
                Result file = table.beside(subject, "file");
                cell(out, file == null ? "" : Figures.of(file.value(), file.unit()));
            }
            out.append('\n');
        }
    }

    private static void cell(StringBuilder out, String text) {
        out.append(' ').append(text).append(" |");
    }

    private static List<String> filed(CaseTable table) {
        return table.metricsBeside("file"::equals);
    }

    private static @Nullable Result main(CaseTable table, String subject) {
        return table.rows().stream()
                .map(Row::result)
                .filter(result -> result.subject().equals(subject))
                .findFirst()
                .orElse(null);
    }

    /// Subjects, the best at the largest size first.
    private List<String> subjects() {
        List<String> subjects = new ArrayList<>();
        for (CaseTable table : sizes.reversed()) {
            for (Row row : table.rows()) {
                if (!subjects.contains(row.result().subject())) {
                    subjects.add(row.result().subject());
                }
            }
        }
        return subjects;
    }
}

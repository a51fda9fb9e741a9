package dev.oriel.table.schema;

import dev.oriel.table.definition.Check;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ColumnDefault;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Names of the type VARCHAR_IGNORECASE in the expressions that a table keeps.
///
/// Earlier releases took these names for VARCHAR, and the entries of indexes and the values of generated columns are
/// made so. Their definitions, known by the version byte, are read with VARCHAR in place of these names.
final class FoldedTypeNames {
    private static final List<String> NAMES = List.of("VARCHAR_IGNORECASE", "CITEXT");

    /// Loaded for a text that may hold a name.
    private static final class Names {
        /// Quoted texts and comments, which are passed over, or a name, with AS or `::` if it is behind one.
        private static final Pattern NAME =
                Pattern.compile(
                        "'[^']*'|\"[^\"]*\"|--[^\\n]*|/\\*.*?\\*/|((?<![\\w$])AS\\s+|::\\s*)?(?<![\\w$])(_?)(?:"
                                + String.join("|", NAMES)
                                + ")(?![\\w$])",
                        Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    }

    private FoldedTypeNames() {}

    /// Whether an expression of `table` names the type.
    static boolean areIn(Table table) {
        return !plain(table).equals(table);
    }

    /// `table` with VARCHAR in place of the type in its expressions.
    static Table plain(Table table) {
        List<Column> columns = new ArrayList<>();
        for (Column column : table.columns()) {
            String update = column.update();
            columns.add(
                    column.withFilling(plain(table, column.filling()))
                            .withUpdate(update == null ? null : plain(table, update)));
        }
        List<Index> indexes = new ArrayList<>();
        for (Index index : table.indexes()) {
            Index.Terms terms = index.terms();
            indexes.add(terms == null ? index : index.withTerms(plain(table, terms)));
        }
        List<Check> checks = new ArrayList<>();
        for (Check check : table.constraints().checks()) {
            checks.add(new Check(check.name(), plain(table, check.expression())));
        }
        return table.withColumns(columns)
                .withIndexes(indexes)
                .withConstraints(table.constraints().withChecks(checks));
    }

    private static @Nullable ColumnDefault plain(Table table, @Nullable ColumnDefault filling) {
        return switch (filling) {
            case ColumnDefault.Default value ->
                    new ColumnDefault.Default(plain(table, value.expression()));
            case ColumnDefault.Generated value ->
                    new ColumnDefault.Generated(plain(table, value.expression()));
            case ColumnDefault.Identity identity -> identity;
            case null -> null;
        };
    }

    private static Index.Terms plain(Table table, Index.Terms terms) {
        String condition = terms.condition();
        return new Index.Terms(
                terms.expressions().stream().map(text -> plain(table, text)).toList(),
                terms.types(),
                condition == null ? null : plain(table, condition));
    }

    private static String plain(Table table, String text) {
        if (!mayName(text)) {
            return text;
        }
        Matcher found = Names.NAME.matcher(text);
        StringBuilder plain = new StringBuilder();
        while (found.find()) {
            String before = found.group(1);
            String array = found.group(2);
            boolean named =
                    array != null && (before != null || !isColumn(table, found.group().strip()));
            String word =
                    named ? (before == null ? "" : before) + array + "VARCHAR" : found.group();
            found.appendReplacement(plain, Matcher.quoteReplacement(word));
        }
        return found.appendTail(plain).toString();
    }

    private static boolean mayName(String text) {
        for (String name : NAMES) {
            for (int i = 0; i + name.length() <= text.length(); i++) {
                if (text.regionMatches(true, i, name, 0, name.length())) {
                    return true;
                }
            }
        }
        return false;
    }

    /// Whether a name that may stand for a column is one. Behind AS or `::` it is always the type.
    private static boolean isColumn(Table table, String name) {
        return table.column(name) >= 0;
    }
}

package dev.oriel.sql.dump;

import dev.oriel.table.definition.Table;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// Names of the files of tables: plain ones on every file system, and no two that differ only in case.
final class FileNames {
    private static final int CHARS_MAX = 100;

    /// Names that Windows keeps for devices, with any extension.
    private static final Pattern DEVICE =
            Pattern.compile("(con|prn|aux|nul|com[0-9]|lpt[0-9])(\\..*)?");

    private final Set<String> taken = new HashSet<>();

    String of(Table table) {
        String whole = (table.schema().isEmpty() ? "" : table.schema() + ".") + table.name();
        StringBuilder plain = new StringBuilder();
        for (char c : whole.toLowerCase(Locale.ROOT).toCharArray()) {
            boolean fits =
                    (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || "._-".indexOf(c) >= 0;
            plain.append(fits ? c : '_');
        }
        plain.setLength(Math.min(plain.length(), CHARS_MAX));
        if (DEVICE.matcher(plain).matches()) {
            plain.insert(0, '_');
        }
        String name = plain.toString();
        for (int i = 2; !taken.add(name); i++) {
            name = plain + "~" + i;
        }
        return "rows/" + name + ".csv";
    }
}

package dev.oriel.store.file;

/// Names of files that differ by a number.
public final class FileNames {
    private FileNames() {}

    /// Whether `name` is `prefix` and then one to `digitsMax` digits.
    public static boolean isNumbered(String name, String prefix, int digitsMax) {
        int digits = name.length() - prefix.length();
        if (!name.startsWith(prefix) || digits < 1 || digits > digitsMax) {
            return false;
        }
        for (int i = prefix.length(); i < name.length(); i++) {
            if (name.charAt(i) < '0' || name.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }
}

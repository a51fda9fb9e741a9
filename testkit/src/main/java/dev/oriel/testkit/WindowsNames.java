package dev.oriel.testkit;

import java.nio.file.InvalidPathException;
import java.util.Locale;
import java.util.regex.Pattern;

/// The rules of Windows for names of files.
final class WindowsNames {
    /// Names of devices, with any extension.
    private static final Pattern DEVICE =
            Pattern.compile(
                    "(CON|PRN|AUX|NUL|CONIN\\$|CONOUT\\$|(COM|LPT)[0-9\\u00b9\\u00b2\\u00b3])([ .].*)?");

    private static final Pattern SIGNS = Pattern.compile("[\\x00-\\x1f<>:\"/\\\\|?*]");
    private static final int CHARS_MAX = 255;

    private WindowsNames() {}

    /// The form in which names are compared.
    static String folded(String name) {
        return name.toUpperCase(Locale.ROOT);
    }

    /// @throws InvalidPathException if no file can have this name, as the file system of Java throws it
    static void check(String name) {
        String wrong = "";
        if (name.isEmpty() || name.length() > CHARS_MAX) {
            wrong = "a name has 1 to " + CHARS_MAX + " characters";
        } else if (SIGNS.matcher(name).find()) {
            wrong = "a name has none of < > : \" / \\ | ? * and no control characters";
        } else if (name.endsWith(".") || name.endsWith(" ")) {
            wrong = "a name does not end in a dot or a blank";
        } else if (DEVICE.matcher(folded(name)).matches()) {
            wrong = "it is the name of a device";
        }
        if (!wrong.isEmpty()) {
            throw new InvalidPathException(name, wrong);
        }
    }
}

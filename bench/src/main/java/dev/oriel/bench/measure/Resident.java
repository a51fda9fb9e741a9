package dev.oriel.bench.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// Resident memory of this process, by mapped file; Linux only.
///
/// @param anonymousBytes memory without a file
/// @param fileBytes by file
public record Resident(long anonymousBytes, Map<String, Long> fileBytes) {
    private static final Path MAPS = Path.of("/proc/self/smaps");
    private static final int PATH_FIELD = 5;

    /// Whether the system reports it.
    public static boolean isKnown() {
        return Files.isReadable(MAPS);
    }

    /// The resident memory at this moment.
    public static Resident now() throws IOException {
        long anonymous = 0;
        Map<String, Long> files = new HashMap<>();
        String file = "";
        for (String line : Files.readAllLines(MAPS)) {
            if (line.startsWith("Rss:")) {
                long bytes = Long.parseLong(line.replaceAll("\\D+", "")) * 1024;
                if (file.startsWith("/")) {
                    files.merge(file, bytes, Long::sum);
                } else {
                    anonymous += bytes;
                }
            } else if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
                String[] fields = line.split(" +", PATH_FIELD + 1);
                file = fields.length > PATH_FIELD ? fields[PATH_FIELD] : "";
            }
        }
        return new Resident(anonymous, files);
    }

    /// The growth of anonymous memory since `before`, plus the resident memory of files that were not mapped then.
    public long beyond(Resident before) {
        long bytes = anonymousBytes - before.anonymousBytes;
        for (Map.Entry<String, Long> file : fileBytes.entrySet()) {
            if (!before.fileBytes.containsKey(file.getKey())) {
                bytes += file.getValue();
            }
        }
        return bytes;
    }
}

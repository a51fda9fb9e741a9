package dev.oriel.profiler;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

/// The profiler's own file as a report ([RunFile]). A text report is the binary file in Base64.
public record RunReport() implements Report {
    @Override
    public void write(ProfileResult result, Appendable out) throws IOException {
        Path file = Files.createTempFile("oriel-run", ".orun");
        try {
            RunFile.write(result, file);
            out.append(Base64.getMimeEncoder().encodeToString(Files.readAllBytes(file)));
            out.append('\n');
        } finally {
            Files.delete(file);
        }
    }

    @Override
    public void write(ProfileResult result, Path file) throws IOException {
        RunFile.write(result, file);
    }
}

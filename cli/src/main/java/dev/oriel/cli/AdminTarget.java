package dev.oriel.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Options that select the server and the format of its answers.
final class AdminTarget {
    /// Name of the admin socket in the folder of its database.
    static final String SOCKET = "admin.sock";

    private static final Pattern NUMBER = Pattern.compile("-?[0-9]+(\\.[0-9]+)?");

    @Parameters(
            index = "0",
            paramLabel = "PATH",
            description = "Folder of the database that is served, or the admin socket itself.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path path;

    @Option(
            names = "--format",
            paramLabel = "NAME",
            defaultValue = "table",
            description = "How rows are shown: table, blocks, csv, json, markdown (table).")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String format;

    private boolean cut;

    /// Whether the query of the last request has more rows than were asked for.
    boolean isCut() {
        return cut;
    }

    AdminSocketClient client() {
        return new AdminSocketClient(
                java.nio.file.Files.isDirectory(path) ? path.resolve(SOCKET) : path);
    }

    /// Sends a request, prints the rows of the answer, and returns them without their head.
    List<List<@Nullable String>> show(Screen screen, String method, String wanted, String... form)
            throws Failure, IOException {
        OutputFormat shown = OutputFormat.of(format);
        AdminSocketClient client = client();
        List<List<@Nullable String>> rows = client.rows(method, wanted, form);
        List<List<@Nullable String>> cells = rows.subList(1, rows.size());
        List<RowPrinter.Column> columns = new java.util.ArrayList<>();
        for (int i = 0; i < rows.getFirst().size(); i++) {
            int at = i;
            boolean numbers =
                    cells.stream()
                            .map(row -> row.get(at))
                            .allMatch(cell -> cell == null || NUMBER.matcher(cell).matches());
            String title = String.valueOf(rows.getFirst().get(i));
            columns.add(
                    numbers && !cells.isEmpty()
                            ? new RowPrinter.Column(title, true, true)
                            : RowPrinter.Column.text(title));
        }
        RowPrinter printer = shown.printer(screen, columns);
        cells.forEach(printer::row);
        printer.finish();
        screen.out().flush();
        cut = client.isCut();
        return cells;
    }
}

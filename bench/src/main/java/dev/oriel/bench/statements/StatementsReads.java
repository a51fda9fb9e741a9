package dev.oriel.bench.statements;

import dev.oriel.bench.Run;
import dev.oriel.bench.measure.Meter;
import dev.oriel.bench.measure.TextSum;
import dev.oriel.bench.sql.SqlSubject;
import dev.oriel.bench.statements.StatementsWorkload.StatementsPace;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/// A prepared SELECT by primary key, of one row: `row` reads its text and number. `number` reads the number alone,
/// so that its time and bytes are the execution's.
final class StatementsReads {
    private static final String ROW = "statements/select/row";
    private static final String NUMBER = "statements/select/number";
    static final List<String> CASES = List.of(NUMBER, ROW);

    private static final int BURST = 1_000;
    private static final int CHECKED = 2_000;

    private final SqlSubject subject;
    private final StatementsPace pace;
    private final Run run;
    private long at;

    StatementsReads(SqlSubject subject, StatementsPace pace, Run run) {
        this.subject = subject;
        this.pace = pace;
        this.run = run;
    }

    void measure() throws SQLException {
        run.phase("loading");
        Path folder = run.folder().resolve("db");
        Connection loading = subject.connect(folder, subject.usual());
        KeyedRows.create(loading);
        KeyedRows.load(loading, 0, pace.rows());
        subject.close(loading);
        Connection connection = subject.connect(folder, subject.usual());
        one(connection, NUMBER, "SELECT amount FROM things WHERE id = ?", false);
        one(connection, ROW, "SELECT name, amount FROM things WHERE id = ?", true);
        subject.close(connection);
    }

    private void one(Connection connection, String caseName, String sql, boolean text)
            throws SQLException {
        if (!run.wants(caseName)) {
            return;
        }
        run.phase("measuring " + caseName);
        try (PreparedStatement select = connection.prepareStatement(sql)) {
            at = 0;
            long sum = read(select, text, CHECKED);
            pace.warmUp()
                    .repeat(() -> {
                        read(select, text, BURST);
                        return BURST;
                    });
            long read = 0;
            Meter meter = Meter.start();
            do {
                read(select, text, BURST);
                read += BURST;
            } while (meter.elapsed() < pace.measured().toNanos());
            run.rate(caseName, meter.stop(read), subject.usual(), sum);
        }
    }

    private long read(PreparedStatement select, boolean text, int count) throws SQLException {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            select.setInt(1, KeyedRows.scattered(at++, pace.rows()));
            try (ResultSet row = select.executeQuery()) {
                if (!row.next()) {
                    throw new IllegalStateException("No row");
                }
                sum = sum * 31 + row.getInt(text ? 2 : 1);
                if (text) {
                    sum = sum * 31 + TextSum.of(row.getString(1));
                }
            }
        }
        return sum;
    }
}

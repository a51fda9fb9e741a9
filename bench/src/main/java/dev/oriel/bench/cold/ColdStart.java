package dev.oriel.bench.cold;

import dev.oriel.bench.axion.AxionForm;
import dev.oriel.bench.measure.ChildJvm;
import dev.oriel.bench.measure.TextSum;
import dev.oriel.bench.sql.Ending;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/// The main class of the JVM that [ColdWorkload] starts. It opens a database, runs one query, reports that it is
/// done, and closes. It loads few other classes: no string concatenation, which would set up method handles.
public final class ColdStart {
    private static final int ARGUMENTS = 4;

    private ColdStart() {}

    /// Arguments: URL SQL WORD ENDING, or none to do nothing.
    public static void main(String[] args) throws SQLException {
        if (args.length < ARGUMENTS) {
            say(0, 0);
            return;
        }
        long start = System.nanoTime();
        Connection connection = DriverManager.getConnection(args[0]);
        PreparedStatement statement = connection.prepareStatement(args[1]);
        statement.setString(1, args[2]);
        ResultSet rows = statement.executeQuery();
        long sum = 0;
        for (int row = 0; row < AxionForm.READ && rows.next(); row++) {
            sum += TextSum.of(rows.getString(1)) * 31 + TextSum.of(rows.getString(2));
        }
        say(System.nanoTime() - start, sum);
        rows.close();
        statement.close();
        Ending.valueOf(args[3]).end(connection);
    }

    private static void say(long nanos, long sum) {
        StringBuilder line = new StringBuilder(ChildJvm.MARK);
        System.out.println(line.append(nanos).append(' ').append(sum));
    }
}

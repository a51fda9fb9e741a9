package dev.oriel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoTest {
    private static final Demo.Size TINY = new Demo.Size(0, 50, 3);

    @TempDir private Path folder;

    @Test
    void everyPartIsShownAndMeasured() throws Exception {
        StringWriter printed = new StringWriter();
        Screen screen = new Screen(new PrintWriter(printed), Screen.ENDLESS, false);
        Path path = folder.resolve("db");
        List<Rate> rates = new Demo(screen, path, TINY).run();

        assertEquals(7, rates.size());
        for (Rate rate : rates) {
            assertTrue(rate.operations() > 0 && rate.nanos() > 0, rate::toString);
        }
        String text = printed.toString();
        assertTrue(text.contains("9,526 | "), text);
        assertTrue(text.contains("all consistent"), text);
        assertTrue(text.contains("3,504 airports and 50,637 routes, as loaded"), text);
        assertEquals(sumOfElevations("airports_array", path), sumOfElevations("airports", path));
        assertEquals(1_026, number("SELECT elev FROM airports WHERE code = 'ATL'", path));
    }

    @Test
    void bothIndexesGiveTheSameRows() throws Exception {
        try (Database database = Database.inMemory();
                Connection connection = database.connect()) {
            AirRoutes.createTables(connection);
            AirRoutes.loadAirports(connection, "airports", _ -> {});
            AirRoutes.loadAirports(connection, "airports_array", _ -> {});
            AirRoutes.createIndexes(connection);
            AirQueries queries = new AirQueries(connection);
            Rate tree = queries.ranges("tree", "airports", AirRoutes.AIRPORTS);
            Rate array = queries.ranges("array", "airports_array", AirRoutes.AIRPORTS);
            assertEquals(tree.rows(), array.rows());
            // Ten rows from everywhere but the end of the index, where there are fewer.
            long most = 10L * AirRoutes.AIRPORTS;
            assertTrue(tree.rows() <= most && tree.rows() > most - 200, tree::toString);
        }
    }

    private static long sumOfElevations(String table, Path path) throws SQLException {
        return number("SELECT SUM(elev) FROM " + table, path);
    }

    private static long number(String sql, Path path) throws SQLException {
        try (Database database = Database.open(path);
                Connection connection = database.connect()) {
            return new AirQueries(connection).number(sql);
        }
    }
}

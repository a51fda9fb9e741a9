package dev.oriel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AirRoutesTest {
    @Test
    void everyAirportIsThere() throws IOException {
        List<List<String>> airports = read("airports.csv", 12);
        assertEquals(AirRoutes.AIRPORTS, airports.size());
        assertEquals(AirRoutes.AIRPORTS, distinct(airports, 0).size());
        assertEquals(AirRoutes.AIRPORTS, distinct(airports, 1).size());
    }

    @Test
    void everyRouteIsThereAndJoinsTwoAirports() throws IOException {
        Set<String> airports = distinct(read("airports.csv", 12), 0);
        List<List<String>> routes = read("routes.csv", 3);
        assertEquals(AirRoutes.ROUTES, routes.size());
        for (List<String> route : routes) {
            assertTrue(airports.containsAll(route.subList(0, 2)), route::toString);
            assertTrue(Integer.parseInt(route.get(2)) > 0, route::toString);
        }
    }

    @Test
    void everyAirportLiesInACountryAndOnAContinent() throws IOException {
        Set<String> airports = distinct(read("airports.csv", 12), 0);
        Set<String> places = distinct(read("places.csv", 4), 0);
        List<List<String>> contains = read("contains.csv", 2);
        assertEquals(2 * AirRoutes.AIRPORTS, contains.size());
        assertTrue(places.containsAll(distinct(contains, 0)));
        assertEquals(airports, distinct(contains, 1));
    }

    @Test
    void halfOfTheAirportsHaveLowNumbers() throws IOException {
        // The elevation check raises one half and lowers the other by the same sum.
        long low =
                read("airports.csv", 12).stream()
                        .filter(row -> Integer.parseInt(row.get(0)) <= AirRoutes.AIRPORTS / 2)
                        .count();
        assertEquals(AirRoutes.AIRPORTS / 2, low);
    }

    private static Set<String> distinct(List<List<String>> rows, int column) {
        Set<String> values = new HashSet<>();
        rows.forEach(row -> values.add(row.get(column)));
        return values;
    }

    /// The records of a file after its titles, each of which has so many fields.
    private static List<List<String>> read(String file, int fields) throws IOException {
        List<List<String>> rows = new ArrayList<>();
        try (CsvReader csv = AirRoutes.open(file)) {
            for (List<String> row = csv.read(); row != null; row = csv.read()) {
                assertEquals(fields, row.size(), row::toString);
                rows.add(row);
            }
        }
        return rows.subList(1, rows.size());
    }
}

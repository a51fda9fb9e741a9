package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.SQLException;
import org.junit.jupiter.api.function.Executable;

/// What tests say of errors.
final class Expect {
    private Expect() {}

    /// `action` fails with this SQLState, and a message that holds `part`.
    static SQLException error(String state, String part, Executable action) {
        SQLException e = assertThrows(SQLException.class, action);
        assertEquals(state, e.getSQLState(), e.toString());
        assertTrue(e.toString().contains(part), e.toString());
        return e;
    }
}

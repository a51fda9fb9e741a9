package dev.oriel.sql;

import dev.oriel.sql.engine.TestDatabase;
import dev.oriel.testkit.SimDirectory;

/// Random frames against their definition, with statements that spill every row.
class SpillWindowModelTest extends WindowModelTest {
    @Override
    TestDatabase opened() {
        return TestDatabase.on(new SimDirectory(), 1);
    }
}

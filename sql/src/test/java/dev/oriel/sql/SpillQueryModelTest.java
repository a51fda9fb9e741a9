package dev.oriel.sql;

import dev.oriel.sql.engine.TestDatabase;
import dev.oriel.testkit.SimDirectory;

/// Random queries against their model, with statements that spill every row.
class SpillQueryModelTest extends QueryModelTest {
    @Override
    TestDatabase opened() {
        return TestDatabase.on(new SimDirectory(), 1);
    }

    @Override
    int count() {
        return super.count() / 5;
    }
}

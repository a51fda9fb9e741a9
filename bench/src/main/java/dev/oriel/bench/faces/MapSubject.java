package dev.oriel.bench.faces;

import dev.oriel.bench.Subject;
import dev.oriel.bench.jdbm.RecordSubject;

/// A store of records that is measured here and not in the workload of records: an ordered map, compared with the
/// store's tree.
///
/// @param name unique among the subjects of `faces`
record MapSubject(String name, RecordSubject records) implements Subject {
    @Override
    public String product() {
        return records.product();
    }

    @Override
    public String settings() {
        return records.settings();
    }
}

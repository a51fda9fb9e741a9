package dev.oriel.bench.jdbm;

import dev.oriel.bench.Subject;
import dev.oriel.bench.Subjects;
import java.util.List;

/// Our store of records.
public final class OrielRecordSubjects implements Subjects {
    @Override
    public List<Subject> subjects() {
        return List.of(
                OrielRecordSubject.ofTree(),
                OrielRecordSubject.ofDirect(),
                OrielRecordSubject.ofRecords());
    }

    /// The subject of one tree of our store.
    public static RecordSubject tree() {
        return OrielRecordSubject.ofTree();
    }
}

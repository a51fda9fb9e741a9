package dev.oriel.bench;

import java.util.List;

/// Our store of records.
public final class OrielRecordSubjects implements Subjects {
    @Override
    public List<Subject> subjects() {
        return List.of(OrielRecordSubject.ofTree(), OrielRecordSubject.ofRecords());
    }
}

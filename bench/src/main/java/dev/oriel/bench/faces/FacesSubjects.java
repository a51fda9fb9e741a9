package dev.oriel.bench.faces;

import dev.oriel.bench.Subject;
import dev.oriel.bench.Subjects;
import dev.oriel.bench.jdbm.OrielRecordSubjects;
import java.util.List;

/// Ours: transactions over faces and over rows, a map and the store's own tree.
public final class FacesSubjects implements Subjects {
    @Override
    public List<Subject> subjects() {
        return List.of(
                new OrielFacesSubject(false),
                new OrielFacesSubject(true),
                new MapSubject("oriel-map", new OrielMapSubject()),
                new MapSubject("oriel-tree", OrielRecordSubjects.tree()));
    }
}

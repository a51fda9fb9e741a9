package dev.oriel.bench.peers;

import dev.oriel.bench.Subject;
import dev.oriel.bench.Subjects;
import java.util.List;

/// The peers that are graphs.
public final class PeerGraphSubjects implements Subjects {
    @Override
    public List<Subject> subjects() {
        return List.of(new TinkerGraphSubject());
    }
}

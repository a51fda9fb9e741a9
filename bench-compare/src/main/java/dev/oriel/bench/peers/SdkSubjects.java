package dev.oriel.bench.peers;

import dev.oriel.bench.Subject;
import dev.oriel.bench.Subjects;
import java.util.List;

/// Third-party clients of Oriel's server.
public final class SdkSubjects implements Subjects {
    @Override
    public List<Subject> subjects() {
        return List.of(new SdkLoop());
    }
}

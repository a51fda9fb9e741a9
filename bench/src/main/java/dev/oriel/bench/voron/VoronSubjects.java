package dev.oriel.bench.voron;

import dev.oriel.bench.Subject;
import dev.oriel.bench.Subjects;
import java.util.List;

/// Our page table, the article's two designs, and the fix that followed it.
public final class VoronSubjects implements Subjects {
    static final String OURS = "oriel-table";
    static final String OLD = "voron-old";
    static final String NEW = "voron-new";
    static final String FIXED = "voron-fixed";

    /// Found by `ServiceLoader`.
    public VoronSubjects() {}

    @Override
    public List<Subject> subjects() {
        return List.of(
                new VersionSubject(
                        OURS,
                        "The store's PageTable: arrays of primitives, versions linked by index,"
                                + " sized to what is live.",
                        false,
                        keyOf -> new TableVersions()),
                new VersionSubject(
                        OLD,
                        "The article's first design on ConcurrentHashMap: an array of versions,"
                                + " copied once for each change (the article's copies three"
                                + " times).",
                        true,
                        CopiedVersions::new),
                new VersionSubject(
                        NEW,
                        "The article's second design on ConcurrentHashMap: buffers changed in place,"
                                + " keys stay for ever.",
                        true,
                        keyOf -> new BufferedVersions(keyOf, false)),
                new VersionSubject(
                        FIXED,
                        "The second design with the fix that was shipped: the key of an empty buffer"
                                + " goes.",
                        true,
                        keyOf -> new BufferedVersions(keyOf, true)));
    }
}

package dev.oriel.bench.peers;

import dev.oriel.bench.Subject;
import dev.oriel.bench.Subjects;
import java.util.List;

/// The peers that store records.
public final class PeerRecordSubjects implements Subjects {
    @Override
    public List<Subject> subjects() {
        return List.of(
                new JdbmSubject("jdbm"),
                new JdbmSubject("jdbm-tree"),
                new MapDbSubject(),
                new MvStoreSubject(),
                new XodusSubject(false),
                new XodusSubject(true),
                new JeSubject(),
                new RocksDbSubject(false),
                new RocksDbSubject(true),
                new LmdbSubject(),
                new SqliteRecordSubject(),
                new DuckDbBulkSubject());
    }
}

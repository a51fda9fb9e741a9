package dev.oriel.bench.peers;

import dev.oriel.bench.Durability;
import dev.oriel.bench.sql.Ending;
import dev.oriel.bench.sql.SqlDialect;
import dev.oriel.bench.sql.SqlSubject;
import dev.oriel.bench.sql.Tuning;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A product accessed by JDBC, in one of its configurations.
///
/// @param urls by durability; `{folder}` stands for the path of the database's folder, `{name}` for
///     the last part of that path
/// @param index keywords that create an index of the wanted kind: `INDEX` if there is only one kind
/// @param special see [SqlSubject#special()]
record JdbcPeer(
        String name,
        Brand brand,
        String how,
        String index,
        Map<Durability, String> urls,
        Ending ending,
        boolean special)
        implements SqlSubject {
    JdbcPeer {
        urls = new EnumMap<>(urls);
    }

    /// Properties shared by all subjects of a product.
    ///
    /// @param product name for `--peers`
    /// @param label name in reports, with its version
    /// @param tuning null if its SQL lacks features that some workloads need
    record Brand(
            String product,
            String label,
            List<String> classes,
            List<String> jvmArgs,
            String limitClause,
            SqlDialect dialect,
            @Nullable Tuning tuning) {}

    /// This subject with a setting appended to each URL.
    JdbcPeer variant(String suffix, String parameter, String why) {
        Map<Durability, String> changed = new EnumMap<>(urls);
        changed.replaceAll((durability, url) -> url + parameter);
        return new JdbcPeer(name + suffix, brand, how + " " + why, index, changed, ending, true);
    }

    @Override
    public String product() {
        return brand.product();
    }

    @Override
    public String settings() {
        return brand.label() + " " + how;
    }

    @Override
    public List<String> jvmArgs() {
        return brand.jvmArgs();
    }

    @Override
    public Set<Durability> durabilities() {
        return urls.keySet();
    }

    @Override
    public String url(Path folder, Durability durability) {
        String url = urls.get(durability);
        if (url == null) {
            throw new IllegalArgumentException(name + " has no durability " + durability);
        }
        return url.replace("{folder}", folder.toString())
                .replace("{name}", folder.getFileName().toString());
    }

    @Override
    public List<String> classes() {
        return brand.classes();
    }

    @Override
    public boolean general() {
        return brand.tuning() != null && !inMemory() && !special;
    }

    @Override
    public SqlDialect dialect() {
        return brand.dialect();
    }

    @Override
    public Tuning tuning() {
        return Objects.requireNonNull(brand.tuning(), brand.product());
    }

    @Override
    public String createIndex(String name, String table, String column) {
        return "CREATE " + index + " " + name + " ON " + table + " (" + column + ")";
    }

    @Override
    public String limitClause() {
        return brand.limitClause();
    }
}

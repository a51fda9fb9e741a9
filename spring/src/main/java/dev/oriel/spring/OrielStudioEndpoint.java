package dev.oriel.spring;

import dev.oriel.Database;
import dev.oriel.studio.Studio;
import dev.oriel.studio.StudioOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

/// Opens and closes a studio over the application's database: POST answers with an address of the machine itself
/// that lets one browser in, GET tells whether a studio is open, DELETE closes it.
///
/// Whoever may call it may read and change the database, so there is no access by default:
/// `management.endpoint.orielstudio.access=unrestricted`.
@Endpoint(id = "orielstudio", defaultAccess = Access.NONE)
public final class OrielStudioEndpoint implements DisposableBean {
    private static final String MEMORY = "mem:";

    private final DataSource source;
    private @Nullable Database database;
    private @Nullable Studio studio;

    OrielStudioEndpoint(DataSource source) {
        this.source = source;
    }

    /// Whether a studio is open, and at which port.
    @ReadOperation
    public synchronized Map<String, Object> state() {
        Studio open = studio;
        return open == null ? Map.of("open", false) : Map.of("open", true, "port", open.port());
    }

    /// Opens a studio unless one is open.
    @WriteOperation
    public synchronized Map<String, Object> open() throws IOException {
        Studio open = studio;
        if (open == null) {
            Database found = ofSource();
            try {
                open = Studio.open(found, StudioOptions.defaults().withPort(0));
            } catch (IOException | RuntimeException e) {
                found.close();
                throw e;
            }
            database = found;
            studio = open;
        }
        return Map.of("open", true, "address", open.address().toString());
    }

    /// The open database of the data source, which is shared. It is opened while a connection keeps it open, since
    /// a database in memory ends with the last of them.
    private Database ofSource() {
        ConnectionCallback<Database> opening =
                connection -> {
                    String url = connection.getMetaData().getURL();
                    if (url == null || !url.startsWith(OrielProperties.PREFIX)) {
                        throw new SQLException(
                                "The data source is not Oriel's; the studio shows no other database");
                    }
                    return opened(url.substring(OrielProperties.PREFIX.length()));
                };
        return Objects.requireNonNull(new JdbcTemplate(source).execute(opening));
    }

    private static Database opened(String place) {
        int options = place.indexOf('?');
        String name = options < 0 ? place : place.substring(0, options);
        if (name.equals(MEMORY)) {
            throw new IllegalStateException(
                    "A database in memory without a name has one connection; name it in its URL");
        }
        return name.startsWith(MEMORY)
                ? Database.inMemory(name.substring(MEMORY.length()))
                : Database.open(Path.of(name));
    }

    /// Closes the studio if one is open.
    @DeleteOperation
    public synchronized void close() {
        try {
            if (studio != null) {
                studio.close();
            }
        } finally {
            if (database != null) {
                database.close();
            }
            studio = null;
            database = null;
        }
    }

    @Override
    public void destroy() {
        close();
    }
}

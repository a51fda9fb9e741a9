package dev.oriel.hibernate;

import org.hibernate.dialect.Dialect;
import org.hibernate.engine.jdbc.dialect.spi.DialectResolutionInfo;
import org.hibernate.engine.jdbc.dialect.spi.DialectResolver;
import org.jspecify.annotations.Nullable;

/// Tells Hibernate that a connection to Oriel wants [OrielDialect].
public final class OrielDialectResolver implements DialectResolver {
    private static final long serialVersionUID = 1;

    /// For the service loader.
    public OrielDialectResolver() {}

    @Override
    public @Nullable Dialect resolveDialect(DialectResolutionInfo found) {
        return found.getDatabaseName().equals("Oriel") ? new OrielDialect(found) : null;
    }
}

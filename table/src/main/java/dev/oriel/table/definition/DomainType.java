package dev.oriel.table.definition;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A type that allows a subset of another's values.
///
/// @param id stable number, of the numbers of tables
/// @param base the type that it narrows, which may be a domain
/// @param required whether NULL is none of its values
/// @param filling text of the expression that is the default of its columns, or null
/// @param checks conditions that no value may fail, which call it VALUE
public record DomainType(
        long id,
        String name,
        Type base,
        boolean required,
        @Nullable String filling,
        List<Check> checks)
        implements UserType {
    public DomainType {
        checks = List.copyOf(checks);
    }

    @Override
    public DomainType withId(long other) {
        return new DomainType(other, name, base, required, filling, checks);
    }

    @Override
    public DomainType withName(String other) {
        return new DomainType(id, other, base, required, filling, checks);
    }

    public DomainType withBase(Type other) {
        return new DomainType(id, name, other, required, filling, checks);
    }

    public DomainType withRequired(boolean other) {
        return new DomainType(id, name, base, other, filling, checks);
    }

    public DomainType withFilling(@Nullable String other) {
        return new DomainType(id, name, base, required, other, checks);
    }

    public DomainType withChecks(List<Check> other) {
        return new DomainType(id, name, base, required, filling, other);
    }

    /// The default of columns, of this domain or the nearest one below; null if there is none.
    public @Nullable String usual() {
        DomainType below = base.domain();
        return filling != null || below == null ? filling : below.usual();
    }

    /// Whether values may be NULL: neither this domain nor one below it is NOT NULL.
    public boolean allowsNull() {
        DomainType below = base.domain();
        return !required && (below == null || below.allowsNull());
    }

    /// A table of one column, VALUE, over which the checks are evaluated.
    public Table alone() {
        Column value = new Column("value", base.withoutDomain(), true);
        return new Table(0, name, List.of(value), List.of(), List.of());
    }

    /// Whether it allows all values of `other`, its former definition.
    public boolean isNoStricterThan(@Nullable DomainType other) {
        if (other == null || other.id != id) {
            return false;
        }
        DomainType below = base.domain();
        return (!required || other.required)
                && other.checks.containsAll(checks)
                && (below == null || below.isNoStricterThan(other.base.domain()));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DomainType type && type.id == id && type.name.equals(name);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(id);
    }
}

package dev.oriel.hibernate;

import jakarta.persistence.TemporalType;
import jakarta.persistence.Timeout;
import org.hibernate.Timeouts;
import org.hibernate.boot.model.FunctionContributions;
import org.hibernate.boot.model.TypeContributions;
import org.hibernate.dialect.function.CommonFunctionFactory;
import org.hibernate.dialect.lock.spi.LockingSupport;
import org.hibernate.dialect.type.PostgreSQLEnumJdbcType;
import org.hibernate.dialect.type.PostgreSQLOrdinalEnumJdbcType;
import org.hibernate.engine.jdbc.dialect.spi.DialectResolutionInfo;
import org.hibernate.exception.ConstraintViolationException.ConstraintKind;
import org.hibernate.exception.spi.SQLExceptionConversionDelegate;
import org.hibernate.internal.util.JdbcExceptionHelper;
import org.hibernate.query.common.FetchClauseType;
import org.hibernate.query.common.TemporalUnit;
import org.hibernate.service.ServiceRegistry;
import org.hibernate.type.descriptor.jdbc.JsonArrayJdbcTypeConstructor;
import org.hibernate.type.descriptor.jdbc.JsonJdbcType;
import org.hibernate.type.descriptor.jdbc.StructJdbcType;
import org.hibernate.type.descriptor.jdbc.UUIDJdbcType;
import org.hibernate.type.descriptor.jdbc.spi.JdbcTypeRegistry;

/// Oriel for Hibernate: the standard's SQL, with sequences, row locks and dates as in PostgreSQL. Hibernate finds
/// it by itself if this module is on the class path.
public final class OrielDialect extends OrielFeatures {
    /// The dialect of the oldest release.
    public OrielDialect() {}

    /// The dialect for the database described by `found`.
    public OrielDialect(DialectResolutionInfo found) {
        super(found);
    }

    @Override
    public void contributeTypes(TypeContributions types, ServiceRegistry services) {
        super.contributeTypes(types, services);
        JdbcTypeRegistry registry = types.getTypeConfiguration().getJdbcTypeRegistry();
        registry.addDescriptor(UUIDJdbcType.INSTANCE);
        registry.addDescriptor(JsonJdbcType.INSTANCE);
        registry.addTypeConstructor(JsonArrayJdbcTypeConstructor.INSTANCE);
        registry.addDescriptor(StructJdbcType.INSTANCE);
        registry.addDescriptor(PostgreSQLEnumJdbcType.INSTANCE);
        registry.addDescriptor(PostgreSQLOrdinalEnumJdbcType.INSTANCE);
    }

    @Override
    public void initializeFunctionRegistry(FunctionContributions contributions) {
        super.initializeFunctionRegistry(contributions);
        OrielNewFunctions.register(new CommonFunctionFactory(contributions));
    }

    @Override
    public LockingSupport getLockingSupport() {
        return OrielLocking.INSTANCE;
    }

    @Override
    public String getWriteLockString(Timeout timeout) {
        return " for update" + waiting(timeout);
    }

    @Override
    public String getWriteLockString(String aliases, Timeout timeout) {
        return " for update of " + aliases + waiting(timeout);
    }

    @Override
    public String getReadLockString(Timeout timeout) {
        return " for share" + waiting(timeout);
    }

    @Override
    public String getReadLockString(String aliases, Timeout timeout) {
        return " for share of " + aliases + waiting(timeout);
    }

    private static String waiting(Timeout timeout) {
        return switch (timeout.milliseconds()) {
            case Timeouts.NO_WAIT_MILLI -> " nowait";
            case Timeouts.SKIP_LOCKED_MILLI -> " skip locked";
            default -> "";
        };
    }

    @Override
    public boolean supportsUserDefinedTypes() {
        return true;
    }

    @Override
    public String translateExtractField(TemporalUnit unit) {
        String field = field(unit);
        return field == null ? super.translateExtractField(unit) : field;
    }

    /// Sunday is the first day of HQL's week, and day 0 here.
    @Override
    public String extractPattern(TemporalUnit unit) {
        String pattern = super.extractPattern(unit);
        return unit == TemporalUnit.DAY_OF_WEEK ? "(" + pattern + "+1)" : pattern;
    }

    @Override
    @SuppressWarnings({"deprecation", "removal"}) // of the types in the signature
    public String timestampaddPattern(
            TemporalUnit unit, TemporalType type, org.hibernate.query.sqm.IntervalType interval) {
        return additionOf(unit);
    }

    @Override
    @SuppressWarnings("deprecation") // TemporalType, in the signature
    public String timestampdiffPattern(TemporalUnit unit, TemporalType from, TemporalType to) {
        return distanceIn(unit);
    }

    @Override
    public boolean supportsFilterClause() {
        return true;
    }

    @Override
    public boolean supportsFetchClause(FetchClauseType type) {
        return type == FetchClauseType.ROWS_ONLY || type == FetchClauseType.ROWS_WITH_TIES;
    }

    @Override
    public boolean supportsArrayConstructor() {
        return true;
    }

    /// Tells kinds of constraints apart that Hibernate 6.6 does not.
    @Override
    public SQLExceptionConversionDelegate buildSQLExceptionConversionDelegate() {
        SQLExceptionConversionDelegate others = super.buildSQLExceptionConversionDelegate();
        return (failure, message, sql) ->
                switch (String.valueOf(JdbcExceptionHelper.extractSqlState(failure))) {
                    case "23502" -> broken(ConstraintKind.NOT_NULL, failure, message, sql);
                    case "23503" -> broken(ConstraintKind.FOREIGN_KEY, failure, message, sql);
                    case "23514" -> broken(ConstraintKind.CHECK, failure, message, sql);
                    default -> others.convert(failure, message, sql);
                };
    }

    @Override
    public boolean supportsRecursiveCycleClause() {
        return true;
    }

    @Override
    public boolean supportsRecursiveCycleUsingClause() {
        return true;
    }

    @Override
    public boolean supportsRecursiveSearchClause() {
        return true;
    }
}

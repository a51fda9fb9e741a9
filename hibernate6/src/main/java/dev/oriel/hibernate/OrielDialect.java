package dev.oriel.hibernate;

import jakarta.persistence.TemporalType;
import org.hibernate.LockOptions;
import org.hibernate.boot.model.TypeContributions;
import org.hibernate.dialect.PostgreSQLEnumJdbcType;
import org.hibernate.dialect.PostgreSQLOrdinalEnumJdbcType;
import org.hibernate.dialect.RowLockStrategy;
import org.hibernate.dialect.StructJdbcType;
import org.hibernate.dialect.temptable.TemporaryTable;
import org.hibernate.dialect.temptable.TemporaryTableKind;
import org.hibernate.engine.jdbc.dialect.spi.DialectResolutionInfo;
import org.hibernate.metamodel.mapping.EntityDiscriminatorMapping;
import org.hibernate.metamodel.mapping.EntityMappingType;
import org.hibernate.metamodel.spi.RuntimeModelCreationContext;
import org.hibernate.query.sqm.FetchClauseType;
import org.hibernate.query.sqm.IntervalType;
import org.hibernate.query.sqm.TemporalUnit;
import org.hibernate.query.sqm.mutation.internal.temptable.AfterUseAction;
import org.hibernate.query.sqm.mutation.internal.temptable.BeforeUseAction;
import org.hibernate.query.sqm.mutation.internal.temptable.LocalTemporaryTableInsertStrategy;
import org.hibernate.query.sqm.mutation.spi.SqmMultiTableInsertStrategy;
import org.hibernate.service.ServiceRegistry;
import org.hibernate.type.descriptor.jdbc.JsonJdbcType;
import org.hibernate.type.descriptor.jdbc.UUIDJdbcType;
import org.hibernate.type.descriptor.jdbc.spi.JdbcTypeRegistry;

/// Oriel for Hibernate 6.6: the standard's SQL, with sequences, row locks and dates as in PostgreSQL. Hibernate
/// finds it by itself if this module is on the class path.
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
        registry.addDescriptor(StructJdbcType.INSTANCE);
        registry.addDescriptor(PostgreSQLEnumJdbcType.INSTANCE);
        registry.addDescriptor(PostgreSQLOrdinalEnumJdbcType.INSTANCE);
    }

    @Override
    public RowLockStrategy getWriteRowLockStrategy() {
        return RowLockStrategy.TABLE;
    }

    @Override
    public String getWriteLockString(int timeout) {
        return " for update" + waiting(timeout);
    }

    @Override
    public String getWriteLockString(String aliases, int timeout) {
        return " for update of " + aliases + waiting(timeout);
    }

    @Override
    public String getReadLockString(int timeout) {
        return " for share" + waiting(timeout);
    }

    @Override
    public String getReadLockString(String aliases, int timeout) {
        return " for share of " + aliases + waiting(timeout);
    }

    @SuppressWarnings("deprecation") // SKIP_LOCKED, whose successor Hibernate 7 has
    private static String waiting(int timeout) {
        return switch (timeout) {
            case LockOptions.NO_WAIT -> " nowait";
            case LockOptions.SKIP_LOCKED -> " skip locked";
            default -> "";
        };
    }

    /// The timeout of other lock waits is a setting of the database.
    @Override
    public boolean supportsLockTimeouts() {
        return false;
    }

    @Override
    public boolean supportsOuterJoinForUpdate() {
        return false;
    }

    @Override
    public boolean supportsNoWait() {
        return true;
    }

    @Override
    public boolean supportsSkipLocked() {
        return true;
    }

    /// A statement with changes in WITH. Excepted are subclasses in tables of their own without a discriminator column:
    /// in such a statement Hibernate 6.6 counts that column. They take a temporary table.
    @Override
    public SqmMultiTableInsertStrategy getFallbackSqmInsertStrategy(
            EntityMappingType root, RuntimeModelCreationContext context) {
        EntityDiscriminatorMapping kind = root.getDiscriminatorMapping();
        return kind == null || (kind.hasPhysicalColumn() && !kind.isFormula())
                ? super.getFallbackSqmInsertStrategy(root, context)
                : new LocalTemporaryTableInsertStrategy(
                        TemporaryTable.createEntityTable(
                                root,
                                table -> TemporaryTable.ENTITY_TABLE_PREFIX + table,
                                this,
                                context),
                        context.getSessionFactory());
    }

    @Override
    public TemporaryTableKind getSupportedTemporaryTableKind() {
        return TemporaryTableKind.LOCAL;
    }

    @Override
    public String getTemporaryTableCreateCommand() {
        return "create temporary table";
    }

    @Override
    public BeforeUseAction getTemporaryTableBeforeUseAction() {
        return BeforeUseAction.CREATE;
    }

    @Override
    public AfterUseAction getTemporaryTableAfterUseAction() {
        return AfterUseAction.DROP;
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
    public String timestampaddPattern(TemporalUnit unit, TemporalType type, IntervalType interval) {
        return additionOf(unit);
    }

    @Override
    public String timestampdiffPattern(TemporalUnit unit, TemporalType from, TemporalType to) {
        return distanceIn(unit);
    }

    @Override
    public boolean supportsFetchClause(FetchClauseType type) {
        return type == FetchClauseType.ROWS_ONLY || type == FetchClauseType.ROWS_WITH_TIES;
    }
}

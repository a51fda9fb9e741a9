package dev.oriel.hibernate;

import static org.hibernate.type.SqlTypes.BINARY;
import static org.hibernate.type.SqlTypes.BLOB;
import static org.hibernate.type.SqlTypes.CLOB;
import static org.hibernate.type.SqlTypes.JSON;
import static org.hibernate.type.SqlTypes.JSON_ARRAY;
import static org.hibernate.type.SqlTypes.LONG32NVARCHAR;
import static org.hibernate.type.SqlTypes.LONG32VARBINARY;
import static org.hibernate.type.SqlTypes.LONG32VARCHAR;
import static org.hibernate.type.SqlTypes.NCHAR;
import static org.hibernate.type.SqlTypes.NCLOB;
import static org.hibernate.type.SqlTypes.NVARCHAR;
import static org.hibernate.type.SqlTypes.TIMESTAMP_UTC;
import static org.hibernate.type.SqlTypes.TIMESTAMP_WITH_TIMEZONE;
import static org.hibernate.type.SqlTypes.TIME_UTC;
import static org.hibernate.type.SqlTypes.TIME_WITH_TIMEZONE;
import static org.hibernate.type.SqlTypes.UUID;
import static org.hibernate.type.SqlTypes.VARBINARY;

import java.sql.DatabaseMetaData;
import java.sql.JDBCType;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.hibernate.boot.model.FunctionContributions;
import org.hibernate.boot.model.TypeContributions;
import org.hibernate.dialect.DatabaseVersion;
import org.hibernate.dialect.Dialect;
import org.hibernate.dialect.DmlTargetColumnQualifierSupport;
import org.hibernate.dialect.NullOrdering;
import org.hibernate.dialect.aggregate.AggregateSupport;
import org.hibernate.dialect.aggregate.PostgreSQLAggregateSupport;
import org.hibernate.dialect.function.CommonFunctionFactory;
import org.hibernate.dialect.identity.IdentityColumnSupport;
import org.hibernate.dialect.pagination.LimitHandler;
import org.hibernate.dialect.pagination.OffsetFetchLimitHandler;
import org.hibernate.dialect.sequence.SequenceSupport;
import org.hibernate.engine.jdbc.dialect.spi.DialectResolutionInfo;
import org.hibernate.engine.jdbc.env.spi.IdentifierCaseStrategy;
import org.hibernate.engine.jdbc.env.spi.IdentifierHelper;
import org.hibernate.engine.jdbc.env.spi.IdentifierHelperBuilder;
import org.hibernate.engine.jdbc.env.spi.NameQualifierSupport;
import org.hibernate.exception.ConstraintViolationException;
import org.hibernate.exception.ConstraintViolationException.ConstraintKind;
import org.hibernate.exception.LockAcquisitionException;
import org.hibernate.exception.LockTimeoutException;
import org.hibernate.exception.spi.SQLExceptionConversionDelegate;
import org.hibernate.exception.spi.ViolatedConstraintNameExtractor;
import org.hibernate.internal.util.JdbcExceptionHelper;
import org.hibernate.metamodel.mapping.EntityMappingType;
import org.hibernate.metamodel.mapping.JdbcMapping;
import org.hibernate.metamodel.mapping.SqlExpressible;
import org.hibernate.metamodel.mapping.SqlTypedMapping;
import org.hibernate.metamodel.spi.RuntimeModelCreationContext;
import org.hibernate.query.sqm.mutation.internal.cte.CteInsertStrategy;
import org.hibernate.query.sqm.mutation.internal.cte.CteMutationStrategy;
import org.hibernate.query.sqm.mutation.spi.SqmMultiTableInsertStrategy;
import org.hibernate.query.sqm.mutation.spi.SqmMultiTableMutationStrategy;
import org.hibernate.query.sqm.produce.function.StandardFunctionReturnTypeResolvers;
import org.hibernate.service.ServiceRegistry;
import org.hibernate.service.spi.ServiceRegistryImplementor;
import org.hibernate.sql.ast.SqlAstTranslatorFactory;
import org.hibernate.sql.ast.spi.SqlAppender;
import org.hibernate.tool.schema.extract.spi.ColumnTypeInformation;
import org.hibernate.tool.schema.extract.spi.SequenceInformationExtractor;
import org.hibernate.tool.schema.spi.SchemaManagementTool;
import org.hibernate.type.descriptor.jdbc.JdbcType;
import org.hibernate.type.descriptor.jdbc.spi.JdbcTypeRegistry;
import org.hibernate.type.descriptor.sql.internal.DdlTypeImpl;
import org.hibernate.type.descriptor.sql.internal.NamedNativeEnumDdlTypeImpl;
import org.hibernate.type.descriptor.sql.internal.NamedNativeOrdinalEnumDdlTypeImpl;
import org.hibernate.type.descriptor.sql.spi.DdlTypeRegistry;
import org.hibernate.type.spi.TypeConfiguration;
import org.jspecify.annotations.Nullable;

/// The part of [OrielDialect] that is the same for each release of Hibernate: names of types, definitions, and the
/// features of Oriel's SQL.
abstract class OrielFeatures extends Dialect {
    private static final DatabaseVersion VERSION = DatabaseVersion.make(0, 1);

    OrielFeatures() {
        super(VERSION);
    }

    OrielFeatures(DialectResolutionInfo found) {
        super(found);
    }

    @Override
    protected DatabaseVersion getMinimumSupportedVersion() {
        return VERSION;
    }

    @Override
    protected String columnType(int code) {
        return switch (code) {
            case NCHAR -> "char($l)";
            case NVARCHAR -> "varchar($l)";
            case CLOB, NCLOB, LONG32VARCHAR, LONG32NVARCHAR -> "clob";
            case BINARY, VARBINARY -> "varbinary($l)";
            case BLOB, LONG32VARBINARY -> "blob";
            case TIMESTAMP_UTC -> super.columnType(TIMESTAMP_WITH_TIMEZONE);
            // A time has no zone here: Hibernate stores its value in UTC.
            case TIME_UTC, TIME_WITH_TIMEZONE -> "time($p)";
            default -> super.columnType(code);
        };
    }

    @Override
    protected String castType(int code) {
        return switch (code) {
            case CLOB, NCLOB, LONG32VARCHAR, LONG32NVARCHAR -> "varchar";
            case BLOB, LONG32VARBINARY -> "varbinary";
            default -> super.castType(code);
        };
    }

    @Override
    protected void registerColumnTypes(TypeContributions types, ServiceRegistry services) {
        super.registerColumnTypes(types, services);
        DdlTypeRegistry names = types.getTypeConfiguration().getDdlTypeRegistry();
        names.addDescriptor(new DdlTypeImpl(UUID, "uuid", this));
        names.addDescriptor(new DdlTypeImpl(JSON, "json", this));
        names.addDescriptor(new DdlTypeImpl(JSON_ARRAY, "json", this));
        names.addDescriptor(new NamedNativeEnumDdlTypeImpl(this));
        names.addDescriptor(new NamedNativeOrdinalEnumDdlTypeImpl(this));
    }

    @Override
    public SqlAstTranslatorFactory getSqlAstTranslatorFactory() {
        return new OrielTranslator.Factory();
    }

    @Override
    public int getMaxVarcharLength() {
        return 1 << 30;
    }

    @Override
    public int getMaxVarbinaryLength() {
        return 1 << 30;
    }

    @Override
    public int getDefaultTimestampPrecision() {
        return 6;
    }

    @Override
    public int getDefaultStatementBatchSize() {
        return 50;
    }

    @Override
    public void initializeFunctionRegistry(FunctionContributions contributions) {
        super.initializeFunctionRegistry(contributions);
        OrielFunctions.register(new CommonFunctionFactory(contributions));
        // The operator ^ is the power.
        contributions
                .getFunctionRegistry()
                .patternDescriptorBuilder("bitxor", "(?1#?2)")
                .setExactArgumentCount(2)
                .setReturnTypeResolver(StandardFunctionReturnTypeResolvers.useArgType(1))
                .register();
    }

    @Override
    public LimitHandler getLimitHandler() {
        return OffsetFetchLimitHandler.INSTANCE;
    }

    @Override
    public String getForUpdateString(String aliases) {
        return " for update of " + aliases;
    }

    @Override
    public String getForUpdateNowaitString() {
        return " for update nowait";
    }

    @Override
    public String getForUpdateNowaitString(String aliases) {
        return " for update of " + aliases + " nowait";
    }

    @Override
    public String getForUpdateSkipLockedString() {
        return " for update skip locked";
    }

    @Override
    public String getForUpdateSkipLockedString(String aliases) {
        return " for update of " + aliases + " skip locked";
    }

    @Override
    public IdentityColumnSupport getIdentityColumnSupport() {
        return new OrielIdentity();
    }

    @Override
    public SequenceSupport getSequenceSupport() {
        return new OrielSequences();
    }

    @Override
    public String getQuerySequencesString() {
        return "select * from information_schema.sequences";
    }

    @Override
    public SequenceInformationExtractor getSequenceInformationExtractor() {
        return new OrielSequenceListing();
    }

    @Override
    public ViolatedConstraintNameExtractor getViolatedConstraintNameExtractor() {
        return new OrielConstraintNames();
    }

    /// Errors of a lock that was not granted, of a deadlock, and of a unique key.
    @Override
    public SQLExceptionConversionDelegate buildSQLExceptionConversionDelegate() {
        return (failure, message, sql) ->
                switch (String.valueOf(JdbcExceptionHelper.extractSqlState(failure))) {
                    case "55P03" -> new LockTimeoutException(message, failure, sql);
                    case "40P01" -> new LockAcquisitionException(message, failure, sql);
                    case "23505" -> broken(ConstraintKind.UNIQUE, failure, message, sql);
                    default -> null;
                };
    }

    final ConstraintViolationException broken(
            ConstraintKind kind, SQLException failure, String message, String sql) {
        String name = getViolatedConstraintNameExtractor().extractConstraintName(failure);
        return new ConstraintViolationException(message, failure, sql, kind, name);
    }

    @Override
    public NameQualifierSupport getNameQualifierSupport() {
        return NameQualifierSupport.SCHEMA;
    }

    /// Names keep their case. Without the driver's metadata Hibernate would expect upper case.
    @Override
    public IdentifierHelper buildIdentifierHelper(
            IdentifierHelperBuilder builder, @Nullable DatabaseMetaData metadata)
            throws SQLException {
        if (metadata == null) {
            builder.setUnquotedCaseStrategy(IdentifierCaseStrategy.MIXED);
            builder.setQuotedCaseStrategy(IdentifierCaseStrategy.MIXED);
        }
        return super.buildIdentifierHelper(builder, metadata);
    }

    @Override
    public SchemaManagementTool getFallbackSchemaManagementTool(
            Map<String, Object> settings, ServiceRegistryImplementor services) {
        return new OrielSchemaTool();
    }

    @Override
    public String[] getCreateSchemaCommand(String schema) {
        return new String[] {"create schema if not exists " + schema};
    }

    @Override
    public String[] getDropSchemaCommand(String schema) {
        return new String[] {"drop schema if exists " + schema};
    }

    @Override
    public String getEnumTypeDeclaration(String name, String[] values) {
        return name;
    }

    /// A schema update executes all of them, and ignores the error of the first if the type exists already: the others
    /// add its new labels. They go from the last label to the first, so that the following label exists.
    @Override
    public String[] getCreateEnumTypeCommand(String name, String[] values) {
        List<String> commands = new ArrayList<>();
        commands.add("create type " + name + " as enum ('" + String.join("','", values) + "')");
        String place = "";
        for (int i = values.length - 1; i >= 0; i--) {
            String label = "'" + values[i] + "'";
            commands.add("alter type " + name + " add value if not exists " + label + place);
            place = " before " + label;
        }
        return commands.toArray(String[]::new);
    }

    /// Without CASCADE, since a schema update also drops types, and must not take columns with them.
    @Override
    public String[] getDropEnumTypeCommand(String name) {
        return new String[] {"drop type if exists " + name};
    }

    /// Statements on several tables are one statement with changes in WITH, and need no tables for keys.
    @Override
    public SqmMultiTableMutationStrategy getFallbackSqmMutationStrategy(
            EntityMappingType root, RuntimeModelCreationContext context) {
        return new CteMutationStrategy(root, context);
    }

    @Override
    public SqmMultiTableInsertStrategy getFallbackSqmInsertStrategy(
            EntityMappingType root, RuntimeModelCreationContext context) {
        return new CteInsertStrategy(root, context);
    }

    /// With its type, since a plain NULL is a text.
    @Override
    public String getSelectClauseNullString(SqlTypedMapping type, TypeConfiguration types) {
        DdlTypeRegistry registry = types.getDdlTypeRegistry();
        JdbcMapping mapping = type.getJdbcMapping();
        String name =
                registry.getDescriptor(mapping.getJdbcType().getDdlTypeCode())
                        .getCastTypeName(type.toSize(), (SqlExpressible) mapping, registry);
        return "cast(null as " + name + ")";
    }

    @Override
    public NullOrdering getNullOrdering() {
        return NullOrdering.GREATEST;
    }

    @Override
    public void appendBooleanValueString(SqlAppender appender, boolean value) {
        appender.appendSql(value);
    }

    @Override
    public String currentTime() {
        return "localtime"; // a java.sql.Time has no zone
    }

    @Override
    public String currentTimestamp() {
        return "localtimestamp";
    }

    @Override
    public String currentTimestampWithTimeZone() {
        return "current_timestamp";
    }

    @Override
    public boolean supportsCurrentTimestampSelection() {
        return true;
    }

    @Override
    public boolean isCurrentTimestampSelectStringCallable() {
        return false;
    }

    @Override
    public String getCurrentTimestampSelectString() {
        return "select current_timestamp";
    }

    @Override
    public boolean supportsConflictClauseForInsertCTE() {
        return true;
    }

    /// The type of an array is called as its elements' with `[]` behind it.
    @Override
    public JdbcType resolveSqlTypeDescriptor(
            String name, int code, int precision, int scale, JdbcTypeRegistry registry) {
        if (code == Types.ARRAY && name.endsWith("[]")) {
            Integer element = codeOf(name.substring(0, name.length() - 2));
            if (element != null) {
                return registry.resolveTypeConstructorDescriptor(
                        code, registry.getDescriptor(element), ColumnTypeInformation.EMPTY);
            }
        }
        return super.resolveSqlTypeDescriptor(name, code, precision, scale, registry);
    }

    private static @Nullable Integer codeOf(String type) {
        return switch (type) {
            case "UUID" -> UUID;
            case "TIMESTAMP WITH TIME ZONE" -> TIMESTAMP_WITH_TIMEZONE;
            default ->
                    Arrays.stream(JDBCType.values())
                            .filter(each -> each.getName().equals(type))
                            .map(JDBCType::getVendorTypeNumber)
                            .findFirst()
                            .orElse(null);
        };
    }

    /// The pattern that adds a number of `unit`, whose name is one of Hibernate's: the fields of DATEADD are such
    /// units, down to a microsecond.
    static String additionOf(Enum<?> unit) {
        return switch (unit.name()) {
            case "NANOSECOND", "NATIVE" -> "dateadd('microsecond',cast((?2)/1000 as bigint),?3)";
            case "QUARTER" -> "dateadd('month',cast(3*(?2) as bigint),?3)";
            case "WEEK" -> "dateadd('day',cast(7*(?2) as bigint),?3)";
            case "SECOND" -> "dateadd('microsecond',cast(1000000.0*(?2) as bigint),?3)";
            default -> "dateadd('?1',cast((?2) as bigint),?3)";
        };
    }

    /// Name of the field `unit` in EXTRACT; null if Hibernate's own is right. WEEK is the week of the year.
    static @Nullable String field(Enum<?> unit) {
        return switch (unit.name()) {
            case "DAY_OF_MONTH" -> "day";
            case "DAY_OF_YEAR" -> "doy";
            case "DAY_OF_WEEK" -> "dow";
            default -> null;
        };
    }

    /// The pattern that counts `unit` between two dates or times.
    static String distanceIn(Enum<?> unit) {
        return switch (unit.name()) {
            case "NANOSECOND", "NATIVE" -> "(datediff('microsecond',?2,?3)*1000)";
            default -> "datediff('?1',?2,?3)";
        };
    }

    @Override
    public boolean supportsIfExistsBeforeTableName() {
        return true;
    }

    @Override
    public boolean supportsIfExistsBeforeTypeName() {
        return true;
    }

    @Override
    public boolean supportsIfExistsBeforeConstraintName() {
        return true;
    }

    @Override
    public boolean dropConstraints() {
        return false;
    }

    @Override
    public String getCascadeConstraintsString() {
        return " cascade";
    }

    @Override
    public boolean supportsAlterColumnType() {
        return true;
    }

    @Override
    public String getAlterColumnTypeString(String column, String type, String definition) {
        return "alter column " + column + " type " + type;
    }

    @Override
    public boolean supportsIsTrue() {
        return true;
    }

    @Override
    public boolean supportsDistinctFromPredicate() {
        return true;
    }

    @Override
    public boolean supportsOffsetInSubquery() {
        return true;
    }

    @Override
    public boolean supportsWindowFunctions() {
        return true;
    }

    @Override
    public boolean supportsLateral() {
        return true;
    }

    @Override
    public boolean supportsRecursiveCTE() {
        return true;
    }

    @Override
    public boolean supportsNonQueryWithCTE() {
        return true;
    }

    @Override
    public boolean supportsValuesList() {
        return true;
    }

    @Override
    public boolean supportsPartitionBy() {
        return true;
    }

    @Override
    public boolean supportsFromClauseInUpdate() {
        return true;
    }

    @Override
    public boolean supportsInsertReturning() {
        return true;
    }

    @Override
    public boolean supportsStandardArrays() {
        return true;
    }

    @Override
    public AggregateSupport getAggregateSupport() {
        return PostgreSQLAggregateSupport.valueOf(this);
    }

    @Override
    public boolean supportsTupleCounts() {
        return true;
    }

    @Override
    public boolean supportsTupleDistinctCounts() {
        return true;
    }

    /// Columns of the target carry its alias, as they may be ambiguous beside joined tables.
    @Override
    public DmlTargetColumnQualifierSupport getDmlTargetColumnQualifierSupport() {
        return DmlTargetColumnQualifierSupport.TABLE_ALIAS;
    }

    @Override
    public boolean supportsBitType() {
        return false;
    }

    @Override
    public boolean supportsNationalizedMethods() {
        return false;
    }

    /// Values that were read are copies.
    @Override
    public boolean supportsLobValueChangePropagation() {
        return false;
    }

    @Override
    public boolean supportsResultSetPositionQueryMethodsOnForwardOnlyCursor() {
        return false;
    }
}

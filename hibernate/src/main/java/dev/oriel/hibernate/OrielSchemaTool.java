package dev.oriel.hibernate;

import java.io.Serial;
import org.hibernate.boot.model.naming.Identifier;
import org.hibernate.boot.model.relational.SqlStringGenerationContext;
import org.hibernate.engine.jdbc.env.spi.JdbcEnvironment;
import org.hibernate.mapping.Table;
import org.hibernate.resource.transaction.spi.DdlTransactionIsolator;
import org.hibernate.service.ServiceRegistry;
import org.hibernate.tool.schema.extract.internal.InformationExtractorJdbcDatabaseMetaDataImpl;
import org.hibernate.tool.schema.extract.spi.ExtractionContext;
import org.hibernate.tool.schema.extract.spi.InformationExtractor;
import org.hibernate.tool.schema.extract.spi.NameSpaceTablesInformation;
import org.hibernate.tool.schema.extract.spi.TableInformation;
import org.hibernate.tool.schema.internal.HibernateSchemaManagementTool;
import org.hibernate.tool.schema.spi.ExtractionTool;
import org.jspecify.annotations.Nullable;

/// Hibernate's updates and validations of schemas, which find a table whatever the case of its name is: a migration may
/// have made PERSON for the entity Person.
final class OrielSchemaTool extends HibernateSchemaManagementTool {
    @Serial private static final long serialVersionUID = 1;

    @Override
    public ExtractionTool getExtractionTool() {
        ExtractionTool usual = super.getExtractionTool();
        return new ExtractionTool() {
            @Override
            public ExtractionContext createExtractionContext(
                    ServiceRegistry services,
                    JdbcEnvironment environment,
                    SqlStringGenerationContext context,
                    DdlTransactionIsolator isolator,
                    ExtractionContext.DatabaseObjectAccess access) {
                return usual.createExtractionContext(
                        services, environment, context, isolator, access);
            }

            @Override
            public InformationExtractor createInformationExtractor(ExtractionContext context) {
                return new AnyCase(context);
            }
        };
    }

    private static final class AnyCase extends InformationExtractorJdbcDatabaseMetaDataImpl {
        private final ExtractionContext context;

        AnyCase(ExtractionContext context) {
            super(context);
            this.context = context;
        }

        /// Without its quotes, since names in quotes would be compared with their case.
        @Override
        public @Nullable TableInformation getTable(
                @Nullable Identifier catalog, @Nullable Identifier schema, Identifier name) {
            return super.getTable(catalog, schema, Identifier.toIdentifier(name.getText(), false));
        }

        @Override
        public NameSpaceTablesInformation getTables(
                @Nullable Identifier catalog, @Nullable Identifier schema) {
            NameSpaceTablesInformation same = super.getTables(catalog, schema);
            return new NameSpaceTablesInformation(
                    context.getJdbcEnvironment().getIdentifierHelper()) {
                @Override
                public @Nullable TableInformation getTableInformation(Table table) {
                    TableInformation found = same.getTableInformation(table);
                    return found != null
                            ? found
                            : getTable(
                                    catalog, schema, table.getQualifiedTableName().getTableName());
                }

                @Override
                public @Nullable TableInformation getTableInformation(String name) {
                    TableInformation found = same.getTableInformation(name);
                    return found != null
                            ? found
                            : getTable(catalog, schema, Identifier.toIdentifier(name));
                }
            };
        }
    }
}

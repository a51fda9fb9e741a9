package dev.oriel.hibernate;

import org.hibernate.tool.schema.extract.internal.SequenceInformationExtractorLegacyImpl;
import org.jspecify.annotations.Nullable;

/// Reads `information_schema.sequences`, without its columns of catalogs and schemas.
final class OrielSequenceListing extends SequenceInformationExtractorLegacyImpl {
    @Override
    protected @Nullable String sequenceCatalogColumn() {
        return null;
    }

    @Override
    protected @Nullable String sequenceSchemaColumn() {
        return null;
    }
}

package dev.oriel.hibernate;

import org.hibernate.tool.schema.extract.internal.SequenceInformationExtractorLegacyImpl;
import org.jspecify.annotations.Nullable;

/// Reads `information_schema.sequences`, which has no column of catalogs.
final class OrielSequenceListing extends SequenceInformationExtractorLegacyImpl {
    @Override
    protected @Nullable String sequenceCatalogColumn() {
        return null;
    }
}

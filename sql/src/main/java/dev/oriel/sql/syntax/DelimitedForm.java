package dev.oriel.sql.syntax;

import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/// Format of delimited records: CSV, the text format of PostgreSQL's COPY, or an external table's own.
///
/// @param fieldDelimiter separator of fields; not empty
/// @param recordDelimiter end of a record; null to accept LF, CR LF and CR and to write LF
/// @param quote encloses fields that contain a delimiter; [#NONE] to quote nothing
/// @param escape precedes a quote within quotes, and itself; may be the quote
/// @param backslashes whether a backslash begins an escape sequence such as `\n` and `\N`
/// @param nullText unquoted text that stands for NULL
public record DelimitedForm(
        String fieldDelimiter,
        @Nullable String recordDelimiter,
        int quote,
        int escape,
        boolean backslashes,
        String nullText,
        Charset charset) {
    /// No character.
    public static final int NONE = -1;
}

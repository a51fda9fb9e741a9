package dev.oriel.sql.syntax;

import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/// How rows lie in a file of delimited fields: CSV, the text form of PostgreSQL's COPY, or what an
/// external table says.
///
/// @param fieldDelimiter stands between fields; not empty
/// @param recordDelimiter ends records; null for any of LF, CR LF and CR, which is LF when written
/// @param quote encloses fields that hold a delimiter; [#NONE] where nothing does
/// @param escape stands before a quote within quotes, and before itself; may be the quote
/// @param backslashes whether a backslash stands before what is meant otherwise, as `\n` and `\N`
/// @param nullText what stands for NULL, outside of quotes
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

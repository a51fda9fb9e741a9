package dev.oriel.sql.syntax;

import java.util.Set;

/// Options of COPY for its file.
///
/// @param forced columns written in quotes, in upper case; all if it contains `*`
/// @param filled columns in which the NULL string is an ordinary value, in upper case
/// @param emptied columns in which a quoted NULL string is NULL too, in upper case
public record CopyOptions(
        DelimitedForm form,
        Header header,
        Set<String> forced,
        Set<String> filled,
        Set<String> emptied) {
    public enum Header {
        NO,
        YES,
        /// The header must match the column names.
        MATCH
    }
}

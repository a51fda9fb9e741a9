package dev.oriel.sql.syntax;

import java.util.Set;

/// What COPY says of its file.
///
/// @param forced columns that are written in quotes, in upper case; all where it holds `*`
/// @param filled columns in which what stands for NULL does not, in upper case
/// @param emptied columns in which NULL may be in quotes too, in upper case
public record CopyOptions(
        DelimitedForm form,
        Header header,
        Set<String> forced,
        Set<String> filled,
        Set<String> emptied) {
    public enum Header {
        NO,
        YES,
        /// It must name the columns.
        MATCH
    }
}

/// Results for readers: Markdown, one page of HTML with its charts, the blocks of the documents.
@NullMarked
package dev.oriel.bench.report;

import org.jspecify.annotations.NullMarked;

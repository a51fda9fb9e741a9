/// Plans as they run: an [Operator] for each node, which pulls rows one by one.
package dev.oriel.sql.run;

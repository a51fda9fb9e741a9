/// The command `oriel bench` and its sub-commands.
@NullMarked
package dev.oriel.bench.command;

import org.jspecify.annotations.NullMarked;

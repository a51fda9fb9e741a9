package dev.oriel.bench;

import java.nio.file.Path;

/// The way to start the fresh JVM of a peer whose jars or JDK cannot be the others'.
///
/// @param java its `java` program
/// @param classPath its classes, and no others
/// @param main its main class, which takes the arguments of [Worker]
/// @param missing the missing files and how to get them, in words; empty if none are missing
public record Launch(Path java, String classPath, String main, String missing) {}

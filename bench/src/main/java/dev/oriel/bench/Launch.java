package dev.oriel.bench;

import java.nio.file.Path;

/// How the fresh JVM of a peer is started whose jars or JDK cannot be those of the others.
///
/// @param java its `java` program
/// @param classPath where its classes are, and no others
/// @param main its main class, which takes the arguments of [Worker]
/// @param missing what is not there and how to get it, in words; empty where everything is
public record Launch(Path java, String classPath, String main, String missing) {}

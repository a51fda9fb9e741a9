/// Oriel in an application of Spring Boot: the support that Boot has built in for H2.
@NullMarked
package dev.oriel.spring;

import org.jspecify.annotations.NullMarked;

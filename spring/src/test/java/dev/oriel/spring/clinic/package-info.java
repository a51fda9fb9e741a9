/// An application of a veterinary clinic, as one has it with Spring Boot.
@NullMarked
package dev.oriel.spring.clinic;

import org.jspecify.annotations.NullMarked;

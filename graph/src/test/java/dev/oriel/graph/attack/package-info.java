/// Random public calls on random objects from random threads, with a model beside them.
@NullMarked
package dev.oriel.graph.attack;

import org.jspecify.annotations.NullMarked;

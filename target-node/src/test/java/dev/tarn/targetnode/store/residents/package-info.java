@NullMarked
package dev.tarn.targetnode.store.residents;

import org.jspecify.annotations.NullMarked;

/** Where the small files come from: a directory tree or any storage. */
@NullMarked
package dev.tarn.sharder.source;

import org.jspecify.annotations.NullMarked;

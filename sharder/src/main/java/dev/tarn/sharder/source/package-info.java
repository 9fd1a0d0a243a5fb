/** Sources of small files: a directory tree or any storage. */
@NullMarked
package dev.tarn.sharder.source;

import org.jspecify.annotations.NullMarked;

/** Users, keys, backends and buckets as a document declares them, and how they come to be. */
@NullMarked
package dev.tarn.standalone.declared;

import org.jspecify.annotations.NullMarked;

/** What a target knows of the settings of buckets that another process keeps. */
@NullMarked
package dev.tarn.targetnode.settings;

import org.jspecify.annotations.NullMarked;

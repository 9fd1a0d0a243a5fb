@NullMarked
package dev.tarn.standalone.command;

import org.jspecify.annotations.NullMarked;

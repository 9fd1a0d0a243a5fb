/** What this gateway knows of the control plane's state, and how it learns more in time. */
@NullMarked
package dev.tarn.gateway.view;

import org.jspecify.annotations.NullMarked;

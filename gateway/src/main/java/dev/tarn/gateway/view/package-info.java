/** The gateway's view of the control state, and its refresh. */
@NullMarked
package dev.tarn.gateway.view;

import org.jspecify.annotations.NullMarked;

/** CORS rules under random inputs. */
@NullMarked
package dev.tarn.gateway.cors;

import org.jspecify.annotations.NullMarked;

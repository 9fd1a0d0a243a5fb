/** The policies of buckets under random inputs. */
@NullMarked
package dev.tarn.gateway.policy;

import org.jspecify.annotations.NullMarked;

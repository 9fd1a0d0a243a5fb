/** XML of the S3 protocol: bounded documents in, escaped documents out. */
@NullMarked
package dev.tarn.gateway.xml;

import org.jspecify.annotations.NullMarked;

/** XML of the S3 protocol: parses documents within limits and writes escaped documents. */
@NullMarked
package dev.tarn.gateway.xml;

import org.jspecify.annotations.NullMarked;

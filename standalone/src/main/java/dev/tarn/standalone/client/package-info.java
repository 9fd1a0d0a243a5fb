/** Clients of a running Tarn: of its admin API and of its S3 endpoint. */
@NullMarked
package dev.tarn.standalone.client;

import org.jspecify.annotations.NullMarked;

/**
 * HTTP requests without a body: over plain http by Apache HttpCore, over everything else by the AWS
 * SDK's binding of Apache HttpClient 5, which knows TLS and proxies.
 *
 * <p>Both block, which suits callers that bring threads. Both read a body straight into the
 * caller's array, and an answer can be cut from another thread. The plain path does little more for
 * a request than write and parse heads: where millions of small objects are read, the client's work
 * for each request bounds their number.
 *
 * <p>Internal to the SDK: the classes may change with any release.
 */
@NullMarked
package dev.tarn.client.internal.http;

import org.jspecify.annotations.NullMarked;

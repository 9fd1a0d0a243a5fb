/**
 * Objects over HTTP: plain http(s) and S3. The AWS SDK and its HTTP client stop at this package's
 * edge.
 *
 * <p>Credentials, signatures, endpoint rules and the S3 calls that are not hot (list, write,
 * delete) are the AWS SDK's. Reads, which are hot, go straight to its HTTP client, signed by its
 * signer: that leaves out the client's interceptors, marshalling and metrics, which cost several
 * times what the request does.
 *
 * <p>The HTTP client is the SDK's binding of Apache HttpClient 5. It blocks, which suits callers
 * that bring threads (its locks do not pin virtual ones); its connection pool is bounded; it reads
 * a body straight into the caller's array; a body can be cut from another thread; and nothing of it
 * logs through commons-logging, which its predecessor does. Measured for small GETs against the
 * JDK's HttpClient it takes a third of the processor time, against HttpURLConnection it is level
 * and has a pool that can be bounded and closed; Netty's client would hand each body over between
 * threads.
 *
 * <p>Internal to the SDK: it may change with any release.
 */
@NullMarked
package dev.tarn.client.storage.remote;

import org.jspecify.annotations.NullMarked;

/** The identities of members: signed by the authority of the cluster secret, or read from files. */
@NullMarked
package dev.tarn.standalone.certificate;

import org.jspecify.annotations.NullMarked;

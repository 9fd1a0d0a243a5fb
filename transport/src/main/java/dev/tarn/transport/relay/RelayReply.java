package dev.tarn.transport.relay;

import dev.tarn.cluster.target.OutgoingBody;

/**
 * An encoded answer.
 *
 * @param message the encoded outcome
 * @param body the bytes after the message, possibly none; the receiver closes it
 */
@SuppressWarnings("ArrayRecordComponent") // One answer fills the array, and one caller reads it.
public record RelayReply(byte[] message, OutgoingBody body) {}

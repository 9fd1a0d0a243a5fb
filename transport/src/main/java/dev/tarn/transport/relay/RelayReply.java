package dev.tarn.transport.relay;

import dev.tarn.cluster.target.OutgoingBody;

/**
 * An encoded answer.
 *
 * @param message the encoded outcome
 * @param body the bytes behind the message, possibly none; the receiver closes it
 */
@SuppressWarnings("ArrayRecordComponent") // made of one answer, and read by one caller
public record RelayReply(byte[] message, OutgoingBody body) {}

package dev.tarn.transport.relay;

import dev.tarn.cluster.target.OutgoingBody;

/**
 * What a target answers.
 *
 * @param message what the answer's body begins with, as long as its header says
 * @param body what follows, of length zero where nothing does; the receiver closes it
 */
@SuppressWarnings("ArrayRecordComponent") // made of one answer, and read by one caller
public record HopAnswer(int status, byte[] message, OutgoingBody body) {}

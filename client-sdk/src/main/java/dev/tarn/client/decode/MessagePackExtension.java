package dev.tarn.client.decode;

/**
 * A value of MessagePack of a type that the application defines.
 *
 * @param type from -128 to 127
 * @param data its bytes
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
public record MessagePackExtension(byte type, byte[] data) {}

package dev.tarn.client.decode;

/**
 * A MessagePack value of a type that an application defines.
 *
 * @param type from -128 to 127
 * @param data its bytes
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
public record MessagePackExtension(byte type, byte[] data) {}

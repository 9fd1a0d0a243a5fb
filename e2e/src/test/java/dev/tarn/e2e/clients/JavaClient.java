package dev.tarn.e2e.clients;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/** What a user does with an S3 client, in the words of whichever client it is. */
interface JavaClient extends AutoCloseable {
  /** Whether the client sends such a key as it is. */
  default boolean names(String key) {
    return true;
  }

  /** Makes a bucket. */
  void createBucket(String bucket) throws Exception;

  /** Stores bytes, and gives the ETag without quotes. */
  String put(String bucket, String key, byte[] bytes) throws Exception;

  /** Reads all bytes. */
  byte[] get(String bucket, String key) throws Exception;

  /** Reads bytes from one to another, both included. */
  byte[] getRange(String bucket, String key, long first, long last) throws Exception;

  /** Uploads a file in parts. */
  void uploadInParts(String bucket, String key, Path file) throws Exception;

  /** All keys in pages of two, in the order given. */
  List<String> list(String bucket) throws Exception;

  /** Deletes an object. */
  void delete(String bucket, String key) throws Exception;

  /** Whether the object is there. */
  boolean exists(String bucket, String key) throws Exception;

  /** A URL by which anybody may read the object for a minute. */
  URI presign(String bucket, String key) throws Exception;

  /** Removes an empty bucket. */
  void deleteBucket(String bucket) throws Exception;

  @Override
  void close();
}

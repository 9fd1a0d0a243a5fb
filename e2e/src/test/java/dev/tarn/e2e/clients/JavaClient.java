package dev.tarn.e2e.clients;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/** What a user does with an S3 client, in the words of whichever client it is. */
interface JavaClient extends AutoCloseable {
  /** Its name and version. */
  String version();

  /** Whether the client sends such a key as it is. */
  default boolean names(String key) {
    return true;
  }

  /** What it leaves out of a day, and why; empty where it leaves out nothing. */
  default String note() {
    return "";
  }

  /** Makes a bucket. */
  void createBucket(String bucket) throws Exception;

  /** Stores bytes, and gives the ETag without quotes. */
  String put(String bucket, String key, byte[] bytes) throws Exception;

  /** Stores bytes unless the key is taken; gives whether it did. */
  boolean putIfAbsent(String bucket, String key, byte[] bytes) throws Exception;

  /** Reads all bytes. */
  byte[] get(String bucket, String key) throws Exception;

  /** Reads bytes from one to another, both included. */
  byte[] getRange(String bucket, String key, long first, long last) throws Exception;

  /** Uploads a file in parts. */
  void uploadInParts(String bucket, String key, Path file) throws Exception;

  /** Copies an object within a bucket. */
  void copy(String bucket, String from, String to) throws Exception;

  /** All keys in pages of so many, in the order given. */
  List<String> list(String bucket, int pageKeys) throws Exception;

  /** Deletes an object. */
  void delete(String bucket, String key) throws Exception;

  /** Deletes at most a thousand objects by one request. */
  void deleteAll(String bucket, List<String> keys) throws Exception;

  /** The object's ETag without quotes, or an empty text where it is not there. */
  String etag(String bucket, String key) throws Exception;

  /** A URL by which anybody may read the object for a minute. */
  URI presign(String bucket, String key) throws Exception;

  /** Removes an empty bucket. */
  void deleteBucket(String bucket) throws Exception;

  @Override
  void close();
}

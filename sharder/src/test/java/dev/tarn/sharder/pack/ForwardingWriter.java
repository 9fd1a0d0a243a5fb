package dev.tarn.sharder.pack;

import dev.tarn.client.storage.ObjectWriter;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Another writer, to change one thing of. */
class ForwardingWriter extends ObjectWriter {
  private final ObjectWriter writer;

  ForwardingWriter(ObjectWriter writer) {
    this.writer = writer;
  }

  @Override
  public StorageUrl url() {
    return writer.url();
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    return writer.write(source);
  }

  @Override
  public StoredObject commit() throws IOException {
    return writer.commit();
  }

  @Override
  public boolean isOpen() {
    return writer.isOpen();
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }
}

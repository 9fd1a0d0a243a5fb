package dev.tarn.cluster.wire;

import dev.tarn.cluster.target.Deleted;
import dev.tarn.cluster.target.ObjectHead;

/** The wire form of what reads and deletes give. */
final class ResultFields {
  private ResultFields() {}

  static void writeHead(WireWriter out, ObjectHead head) {
    ObjectFields.writeMetadata(out, head.metadata());
    out.writeLong(head.offset());
    out.writeLong(head.length());
  }

  static ObjectHead readHead(WireReader in) throws WireException {
    return new ObjectHead(ObjectFields.readMetadata(in), in.readLong(), in.readLong());
  }

  static void writeDeleted(WireWriter out, Deleted deleted) {
    out.writeBoolean(deleted.existed());
    out.writeBoolean(deleted.deleteMarker());
    out.writeText(deleted.versionText());
  }

  static Deleted readDeleted(WireReader in) throws WireException {
    return new Deleted(in.readBoolean(), in.readBoolean(), in.readText());
  }
}

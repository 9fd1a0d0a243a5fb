package dev.tarn.cluster.wire;

import dev.tarn.cluster.target.DeclaredDigests;

/** The wire form of a body's end. */
final class BodyEndFields {
  private static final int WHOLE = 0;
  private static final int BROKEN = 1;

  private BodyEndFields() {}

  static void write(WireWriter out, BodyEnd end) {
    if (end instanceof BodyEnd.Whole whole) {
      out.writeByte(WHOLE);
      out.writeOptional(whole.digests().md5Hex(), WireWriter::writeText);
      out.writeAll(whole.digests().checksums(), ObjectFields::writeChecksum);
    } else {
      out.writeByte(BROKEN);
      out.writeText(((BodyEnd.Broken) end).message());
    }
  }

  static BodyEnd read(WireReader in) throws WireException {
    int tag = in.readByte();
    return switch (tag) {
      case WHOLE ->
          new BodyEnd.Whole(
              new DeclaredDigests(
                  in.readOptional(WireReader::readText), in.readAll(ObjectFields::readChecksum)));
      case BROKEN -> new BodyEnd.Broken(in.readText());
      default -> throw in.at("end of body has the tag " + tag + ", must be 0 or 1");
    };
  }
}

package dev.tarn.targetnode.store.record;

import dev.tarn.cluster.codec.Codec;
import dev.tarn.cluster.codec.Union;
import java.util.List;

/** The encoding of pieces. Tags 4 (remote extent) and 5 (erasure stripe) are reserved. */
final class PieceCodec {
  static final Codec<Piece> PIECE =
      Union.of(
          Piece.class,
          List.of(
              Union.alternative(
                  1,
                  Piece.Inline.class,
                  (out, inline) -> out.number(1, inline.length()),
                  in -> new Piece.Inline(in.number(1))),
              Union.alternative(
                  2,
                  Piece.ExtentRange.class,
                  (out, range) ->
                      out.bits(1, range.extent())
                          .number(2, range.offset(), 0)
                          .number(3, range.length())
                          .unsigned(4, range.tableCrc()),
                  in ->
                      new Piece.ExtentRange(
                          in.bits(1), in.number(2, 0), in.number(3), in.unsigned(4))),
              Union.alternative(
                  6,
                  Piece.CachedUnits.class,
                  (out, cached) -> out.number(1, cached.length()),
                  in -> new Piece.CachedUnits(in.number(1)))));

  private PieceCodec() {}
}

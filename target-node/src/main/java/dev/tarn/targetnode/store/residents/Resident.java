package dev.tarn.targetnode.store.residents;

/**
 * An entry that the cache has.
 *
 * @param id of the entry
 * @param bytes on the disk, at least 1
 * @param bucket the number of its bucket, 0 if it is not known
 */
public record Resident(long id, int bytes, int bucket, Use use) {}

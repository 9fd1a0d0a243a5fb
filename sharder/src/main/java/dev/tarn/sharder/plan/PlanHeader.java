package dev.tarn.sharder.plan;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.manifest.Sha256;
import dev.tarn.sharder.plan.option.PlanOptions;
import java.util.List;
import java.util.Optional;

/**
 * The header of a plan.
 *
 * @param encoder the name and version of the encoder that will write the shards
 * @param destination the dataset's folder
 * @param base the digest of the manifest of the dataset that the plan appends to, if any
 * @param sources as the user named them, in order
 * @param options the options of the plan
 * @param findings what is left out
 * @param classes by number, if the samples have labels with known classes
 * @param samples the number of samples in all shards
 * @param members the number of members in all samples
 * @param fileBytes the total size of the members' files, in bytes
 * @param largestSample the length of the largest sample in its shard, in bytes
 */
public record PlanHeader(
    String encoder,
    String destination,
    Optional<Sha256> base,
    List<String> sources,
    PlanOptions options,
    PlanningFindings findings,
    List<String> classes,
    long samples,
    long members,
    long fileBytes,
    long largestSample) {
  public PlanHeader {
    requireNonNull(encoder, "encoder is null");
    requireNonNull(destination, "destination is null");
    requireNonNull(base, "base is null");
    sources = List.copyOf(sources);
    requireNonNull(options, "options is null");
    requireNonNull(findings, "findings is null");
    classes = List.copyOf(classes);
  }
}

package dev.tarn.sharder.plan;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.manifest.Sha256;
import dev.tarn.sharder.plan.option.PlanOptions;
import java.util.List;
import java.util.Optional;

/**
 * What a plan says of itself.
 *
 * @param encoder the name and version of the encoder that will write the shards
 * @param destination the dataset's folder
 * @param base the manifest of the dataset that is added to, if one is
 * @param sources as the user named them, in order
 * @param options what it was made with
 * @param findings what is left out
 * @param classes by their numbers, if samples are labelled after folders
 * @param samples how many the shards have together
 * @param members how many the samples have together
 * @param fileBytes how many bytes the members' files have together
 * @param largestSample how many bytes the largest sample takes in its shard
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

package dev.tarn.cluster.target;

/** The upload is gone. */
public record Aborted() {}

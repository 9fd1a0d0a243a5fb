package dev.tarn.targetnode.backend;

import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpRequest;

/**
 * Adds the header {@code traceparent} to requests that a trace caused. The SDK's blocking clients
 * run interceptors on the calling thread, so a scoped value reaches them.
 */
final class TraceHeader implements ExecutionInterceptor {
  /** The traceparent of the present call; unbound without a trace. */
  static final ScopedValue<String> TRACEPARENT = ScopedValue.newInstance();

  @Override
  public SdkHttpRequest modifyHttpRequest(
      Context.ModifyHttpRequest context, ExecutionAttributes attributes) {
    return TRACEPARENT.isBound()
        ? context.httpRequest().toBuilder().putHeader("traceparent", TRACEPARENT.get()).build()
        : context.httpRequest();
  }
}

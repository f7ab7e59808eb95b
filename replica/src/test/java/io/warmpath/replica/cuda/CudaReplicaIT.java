package io.warmpath.replica.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Replicas whose engine is an emulated GPU, in processes of their own. */
class CudaReplicaIT {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String PROMPT = "every token of this prompt is computed once ".repeat(20);

  @BeforeAll
  static void buildDriver() throws Exception {
    EmulatedGpu.build();
  }

  @Test
  void aPrefillTellsTheGpusTime() throws Exception {
    try (CudaReplica replica = CudaReplica.start(Map.of())) {
      JsonNode first = usage(replica.complete(PROMPT).body());
      JsonNode again = usage(replica.complete(PROMPT).body());

      long cached = again.get("prompt_tokens_details").get("cached_tokens").asLong();
      assertEquals(0, first.get("prompt_tokens_details").get("cached_tokens").asLong());
      assertTrue(cached > 0);
      JsonNode computed = replica.awaitPrefill(event -> event.get("cached_tokens").asLong() == 0);
      JsonNode reused = replica.awaitPrefill(event -> event.get("cached_tokens").asLong() > 0);
      assertEquals(cached, reused.get("cached_tokens").asLong());
      assertTrue(computed.get("gpu_us").asLong() > 0, computed::toString);
      // The engine's step holds the GPU's time, and what goes to and from it.
      assertTrue(
          computed.get("gpu_us").asLong() <= computed.get("prefill_us").asLong(),
          computed::toString);
      assertTrue(reused.get("gpu_us").asLong() > 0, reused::toString);
    }
  }

  @Test
  void telemetryShowsTheGpuAsTheDriverDoes() throws Exception {
    String bytes = String.valueOf(256 << 20);
    try (CudaReplica replica = CudaReplica.start(Map.of("EMULATED_CUDA_MEMORY", bytes))) {
      JsonNode gpu = replica.awaitTelemetry(sign -> sign.hasNonNull("gpu")).get("gpu");

      TransformerModel model = TransformerModel.load("tiny");
      long weightsAndKv = model.parameters() * model.storage().bytes + model.kvBytes();
      assertEquals("jcuda", gpu.get("source").asText());
      assertEquals("Emulated device", gpu.get("name").asText());
      assertEquals(256 << 20, gpu.get("memory_total_bytes").asLong());
      assertTrue(gpu.get("memory_used_bytes").asLong() > weightsAndKv, gpu::toString);
    }
  }

  @Test
  void slowingTheReplicaLengthensTheGpusTime() throws Exception {
    try (CudaReplica replica = CudaReplica.start(Map.of())) {
      long normalUs = Long.MAX_VALUE;
      for (int i = 0; i < 5; i++) {
        normalUs = Math.min(normalUs, prefillGpuUs(replica, "normal-" + i));
      }
      replica.post("/admin/speed", "{\"factor\":0.02}");

      long slowUs = prefillGpuUs(replica, "slow");

      // Fifty times its own time; the fastest of the others may have been faster than that.
      assertTrue(slowUs > 10 * normalUs, slowUs + " µs, and " + normalUs);
    }
  }

  private static long prefillGpuUs(CudaReplica replica, String requestId) throws Exception {
    replica.post("/reset_prefix_cache", "");
    replica.complete(PROMPT, "x-request-id", requestId);
    return replica
        .awaitPrefill(event -> event.get("request_id").asText().equals(requestId))
        .get("gpu_us")
        .asLong();
  }

  @ParameterizedTest
  @CsvSource({
    "cuLaunchKernel:40:719, CUDA_ERROR_LAUNCH_FAILED, a kernel failed",
    "cuLaunchKernel:40:701, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, a kernel failed",
    "cuLaunchKernel:40:2, CUDA_ERROR_OUT_OF_MEMORY, no memory left",
    "cuEventSynchronize:1:700, CUDA_ERROR_ILLEGAL_ADDRESS, a kernel failed",
    "cuEventSynchronize:3:702, CUDA_ERROR_LAUNCH_TIMEOUT, a kernel failed",
    "cuEventElapsedTime:1:719, CUDA_ERROR_LAUNCH_FAILED, a kernel failed",
    "cuMemcpyHtoDAsync_v2:2:999, CUDA_ERROR_UNKNOWN, the GPU is lost",
    "cuEventRecord:5:46, CUDA_ERROR_DEVICE_UNAVAILABLE, the GPU is lost",
    "cuMemcpyDtoH_v2:1:214, CUDA_ERROR_ECC_UNCORRECTABLE, the GPU is lost"
  })
  void aGpuThatFailsLeavesAReplicaThatSaysSo(String fault, String error, String meaning)
      throws Exception {
    try (CudaReplica replica = CudaReplica.start(Map.of("EMULATED_CUDA_FAULTS", fault))) {
      assertEquals(200, replica.get("/health").statusCode());

      assertBreaksOff(replica);

      assertEquals(503, replica.get("/health").statusCode());
      assertEquals(503, replica.complete(PROMPT).statusCode());
      replica.awaitLine("the error", line -> line.contains(error) && line.contains(meaning));
      assertEquals(
          1, replica.lines().stream().filter(line -> line.contains("the engine stopped")).count());
      assertTrue(replica.get("/metrics").body().contains("vllm:num_requests_running"));
    }
  }

  /**
   * The request that meets the fault is cut off: there is no answer that could be taken for one.
   */
  private static void assertBreaksOff(CudaReplica replica) throws Exception {
    try {
      String body = replica.complete(PROMPT).body();
      throw new AssertionError("answered in spite of the fault: " + body);
    } catch (IOException cutOff) {
      assertFalse(replica.text().isEmpty());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "cuInit:1:100, the CUDA driver finds no GPU",
    "cuInit:1:803, cuInit failed with CUDA_ERROR_SYSTEM_DRIVER_MISMATCH (803)",
    "cuDevicePrimaryCtxRetain:1:46, the GPU is lost",
    "cuModuleLoadData:1:222, the kernels need a driver of CUDA 12.0 or later",
    "cuStreamCreate:1:2, the GPU has no memory left",
    "cuMemAlloc_v2:1:2, out of memory on Emulated device: weights of 1 MiB",
    "cuMemAlloc_v2:2:2, out of memory on Emulated device: KV blocks of",
    "cuLaunchKernel:3:719, a kernel failed",
    "cuStreamSynchronize:1:700, a kernel failed"
  })
  void aGpuThatFailsAtTheStartIsNoReplica(String fault, String message) throws Exception {
    assertRefused(
        EmulatedGpu.run(Map.of("EMULATED_CUDA_FAULTS", fault), CudaReplicaMain.class, "cuda"),
        message);
  }

  @Test
  void aGpuThatIsTooSmallIsNoReplica() throws Exception {
    assertRefused(
        EmulatedGpu.run(
            Map.of("EMULATED_CUDA_MEMORY", String.valueOf(2 << 20)), CudaReplicaMain.class, "cuda"),
        "out of memory on Emulated device: KV blocks of 3 MiB, and 1 of 2 MiB are free");
  }

  @Test
  void withoutADriverCudaIsRefusedAndAllElseWorks() throws Exception {
    assertRefused(
        EmulatedGpu.finished(EmulatedGpu.jvmWithoutDriver(CudaReplicaMain.class, "cuda")),
        "no CUDA driver");
    try (CudaReplica replica = CudaReplica.startModelled()) {
      assertEquals(200, replica.complete(PROMPT).statusCode());
      JsonNode gpu = replica.awaitTelemetry(sign -> sign.hasNonNull("gpu")).get("gpu");
      assertEquals("modelled", gpu.get("source").asText());
    }
  }

  private static void assertRefused(EmulatedGpu.Run run, String message) {
    assertEquals(1, run.exitCode(), run::output);
    assertEquals(
        1, run.output().lines().filter(line -> line.contains(message)).count(), run::output);
    assertFalse(run.output().contains("\tat "), run::output);
  }

  private static JsonNode usage(String answer) throws IOException {
    return JSON.readTree(answer).get("usage");
  }
}

package io.warmpath.replica.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The kernels and the engine around them, through JCuda's own binding and a driver of ours. */
class GpuCheckIT {

  @BeforeAll
  static void buildDriver() throws Exception {
    EmulatedGpu.build();
  }

  @Test
  void kernelsAndLogitsAreThoseOfTheirTwins() throws Exception {
    EmulatedGpu.Run run = check(Map.of());

    assertEquals(0, run.exitCode(), run::output);
    assertTrue(run.output().contains("logits, cached and recomputed prefix, fp16|"), run::output);
    assertTrue(run.output().contains("logits, cached and recomputed prefix, fp32|"), run::output);
  }

  /** Where a barrier is missing, threads in another order compute something else. */
  @Test
  void theOrderOfThreadsAndBlocksDoesNotMatter() throws Exception {
    assertEquals(check(Map.of()).output(), check(Map.of("EMULATED_CUDA_REVERSED", "1")).output());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"gemm_f16", "gemv_f32", "attend_decode_f16", "rope_and_store_f32", "arg_max_f32"})
  void aKernelThatComputesNothingIsFound(String kernel) throws Exception {
    assertNotEquals(0, check(Map.of("EMULATED_CUDA_IDLE", kernel)).exitCode());
  }

  private static EmulatedGpu.Run check(Map<String, String> environment)
      throws IOException, InterruptedException {
    return EmulatedGpu.run(environment, GpuCheckMain.class);
  }
}

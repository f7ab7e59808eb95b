package io.warmpath.replica.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import jcuda.nvptxcompiler.JNvPTXCompiler;
import jcuda.nvptxcompiler.nvPTXCompileResult;
import jcuda.nvptxcompiler.nvPTXCompilerHandle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The committed PTX is that of the sources, and NVIDIA's compilers take it. */
class KernelSourcesTest {

  private static final Path SOURCES = Path.of("src/main/cuda");
  private static final Pattern NVCC = Pattern.compile("release [0-9.]+, V[0-9.]+");

  @Test
  void thePtxWasMadeFromTheseSources() throws Exception {
    MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
    for (Path source : sources()) {
      sha256.update(Files.readAllBytes(source));
    }

    String second = Kernels.ptx().lines().skip(1).findFirst().orElseThrow();

    assertEquals(
        "// " + HexFormat.of().formatHex(sha256.digest()),
        second,
        "run replica/src/main/cuda/compile.sh");
  }

  @Test
  void compilingAgainGivesTheSamePtx(@TempDir Path folder) throws Exception {
    assumeTrue(EmulatedGpu.isThere("nvcc"), "skipped: no nvcc");
    EmulatedGpu.Run version = EmulatedGpu.finished(new ProcessBuilder("nvcc", "--version"));
    assumeTrue(
        release(version.output()).equals(release(Kernels.ptx())),
        "skipped: the PTX was made by nvcc of " + release(Kernels.ptx()));
    Path again = folder.resolve("kernels.ptx");

    EmulatedGpu.Run run =
        EmulatedGpu.finished(
            new ProcessBuilder("bash", SOURCES.resolve("compile.sh").toString(), again.toString()));

    assertEquals(0, run.exitCode(), run::output);
    assertEquals(Files.readString(again), Kernels.ptx());
  }

  @ParameterizedTest
  @ValueSource(strings = {"sm_75", "sm_80", "sm_86", "sm_89", "sm_90"})
  void jcudasCompilerTakesThePtx(String architecture) {
    assertEquals(nvPTXCompileResult.NVPTXCOMPILE_SUCCESS, compile(Kernels.ptx(), architecture));
  }

  @Test
  void jcudasCompilerRefusesPtxThatIsWrong() {
    String wrong = Kernels.ptx().replaceFirst("mul\\.wide\\.s32", "mul.wide.f32");
    assertNotEquals(Kernels.ptx(), wrong);

    assertNotEquals(nvPTXCompileResult.NVPTXCOMPILE_SUCCESS, compile(wrong, "sm_90"));
  }

  /** Spills to memory would cost more than what they are spilled for. */
  @Test
  void ptxasTakesThePtxAndSpillsNothing(@TempDir Path folder) throws Exception {
    assumeTrue(EmulatedGpu.isThere("ptxas"), "skipped: no ptxas");
    Path ptx = Files.writeString(folder.resolve("kernels.ptx"), Kernels.ptx());

    EmulatedGpu.Run run =
        EmulatedGpu.finished(
            new ProcessBuilder(
                "ptxas", "-arch=sm_90", "-v", ptx.toString(), "-o", folder + "/kernels.cubin"));

    assertEquals(0, run.exitCode(), run::output);
    List<String> spills =
        run.output().lines().filter(line -> line.contains("bytes spill stores")).toList();
    assertTrue(spills.size() >= 26, run::output);
    spills.forEach(line -> assertTrue(line.contains(" 0 bytes spill stores"), line));
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> all = Files.list(SOURCES)) {
      return all.filter(file -> file.toString().matches(".*\\.cuh?")).sorted().toList();
    }
  }

  private static String release(String text) {
    Matcher release = NVCC.matcher(text);
    assertTrue(release.find(), text);
    return release.group();
  }

  private static int compile(String ptx, String architecture) {
    JNvPTXCompiler.setExceptionsEnabled(false);
    byte[] image = (ptx + "\0").getBytes(StandardCharsets.US_ASCII);
    nvPTXCompilerHandle compiler = new nvPTXCompilerHandle();
    assertEquals(
        nvPTXCompileResult.NVPTXCOMPILE_SUCCESS,
        JNvPTXCompiler.nvPTXCompilerCreate(compiler, image.length, image));
    try {
      String[] options = {"--gpu-name=" + architecture};
      return JNvPTXCompiler.nvPTXCompilerCompile(compiler, options.length, options);
    } finally {
      JNvPTXCompiler.nvPTXCompilerDestroy(compiler);
    }
  }
}

package io.warmpath.balancer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.balancer.fixture.Sha256;
import io.warmpath.balancer.metrics.PrometheusText;
import io.warmpath.balancer.security.ApiKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigWatchTest {

  private static final String MODELS =
      "models: [{name: m, replicas: [{name: r, url: 'http://127.0.0.1:1'}]}]\n";

  @TempDir private Path folder;

  private final List<Integer> retries = new ArrayList<>();
  private final ReloadState state = new ReloadState(5_000);

  @Test
  void takesAChangeOnceTwoLooksFoundItTheSame() throws IOException {
    Path file = write("b.yaml", 1);
    ConfigWatch watch = watch(file);
    write("b.yaml", 3);
    watch.look();
    write("b.yaml", 4);
    watch.look();
    assertEquals(List.of(), retries);
    watch.look();
    watch.look();
    assertEquals(List.of(4), retries);
  }

  @Test
  void findsWhatChangedBetweenTheStartAndTheFirstLook() throws IOException {
    Path file = write("b.yaml", 1);
    ConfigWatch watch = watch(file);
    write("b.yaml", 2);
    settle(watch);
    assertEquals(List.of(2), retries);
    assertMetric("warmpath_config_reloads_total 1");
  }

  @Test
  void countsNothingWhileNothingChanges() throws IOException {
    ConfigWatch watch = watch(write("b.yaml", 1));
    settle(watch);
    settle(watch);
    assertMetric("warmpath_config_reloads_total 0");
    assertMetric("warmpath_config_last_success_timestamp_seconds 5");
  }

  @Test
  void followsAFileThatAnEditorReplaces() throws IOException {
    Path file = write("b.yaml", 1);
    ConfigWatch watch = watch(file);
    settle(watch);
    Files.move(write("b.yaml~", 2), file, StandardCopyOption.REPLACE_EXISTING);
    settle(watch);
    assertEquals(List.of(1, 2), retries);
  }

  /** A ConfigMap's file is a link into {@code ..data}, itself a link that is turned atomically. */
  @Test
  void followsTheLinksOfAConfigMap() throws IOException {
    for (int version = 1; version <= 2; version++) {
      Files.createDirectory(folder.resolve("..v" + version));
      write("..v" + version + "/b.yaml", version);
    }
    Path data = Files.createSymbolicLink(folder.resolve("..data"), Path.of("..v1"));
    Path file = Files.createSymbolicLink(folder.resolve("b.yaml"), Path.of("..data/b.yaml"));
    ConfigWatch watch = watch(file);
    settle(watch);
    Path turned = Files.createSymbolicLink(folder.resolve("..data_tmp"), Path.of("..v2"));
    Files.move(turned, data, StandardCopyOption.ATOMIC_MOVE);
    settle(watch);
    assertEquals(List.of(1, 2), retries);
  }

  @Test
  void keepsWhatHeldWhenTheFileIsBrokenAndSaysSo() throws IOException {
    Path file = write("b.yaml", 1);
    ConfigWatch watch = watch(file);
    settle(watch);
    Files.writeString(file, MODELS + "retries: many\n");
    settle(watch);
    settle(watch);
    assertEquals(List.of(1), retries);
    assertMetric("warmpath_config_reload_failures_total 1");
    assertMetric("warmpath_config_last_reload_successful 0");
    assertMetric("warmpath_config_last_success_timestamp_seconds 5");

    write("b.yaml", 2);
    settle(watch);
    assertEquals(List.of(1, 2), retries);
    assertMetric("warmpath_config_last_reload_successful 1");
    assertMetric("warmpath_config_last_success_timestamp_seconds 9");
  }

  @Test
  void takesAChangeOfAFileThatItNames() throws IOException {
    Path file = write("b.yaml", 1);
    Path keys = Files.writeString(folder.resolve("keys"), "a sha256:" + Sha256.hex("old") + "\n");
    Files.writeString(file, MODELS + "api_keys: {file: keys}\n");
    List<ApiKeys> taken = new ArrayList<>();
    ConfigWatch watch =
        new ConfigWatch(
            file,
            ConfigFile.read(file),
            loaded -> taken.add(loaded.config().apiKeys()),
            state,
            () -> 9_000);
    settle(watch);
    Files.writeString(keys, "a sha256:" + Sha256.hex("new") + "\n");
    settle(watch);
    assertEquals("a", taken.get(1).holder("Bearer new"));
    assertNull(taken.get(1).holder("Bearer old"));
    Files.writeString(keys, "nonsense");
    settle(watch);
    assertEquals(2, taken.size());
    assertMetric("warmpath_config_reload_failures_total 1");
  }

  @Test
  void takesAFileThatOnlyARefusedTextNamesOnceItIsThere() throws IOException {
    Path file = write("b.yaml", 1);
    ConfigWatch watch = watch(file);
    settle(watch);
    Files.writeString(file, MODELS + "retries: 2\napi_keys: {file: keys}\n");
    settle(watch);
    settle(watch);
    assertEquals(List.of(1), retries);
    assertMetric("warmpath_config_reload_failures_total 1");
    Files.writeString(folder.resolve("keys"), "nonsense");
    settle(watch);
    settle(watch);
    assertMetric("warmpath_config_reload_failures_total 2");
    Files.writeString(folder.resolve("keys"), "a sha256:" + Sha256.hex("key") + "\n");
    settle(watch);
    settle(watch);
    assertEquals(2, retries.get(1));
    assertMetric("warmpath_config_reload_failures_total 2");
    assertMetric("warmpath_config_reloads_total 1");
    assertMetric("warmpath_config_last_reload_successful 1");
  }

  @Test
  void countsATextThatNamesOtherFilesOnce() throws IOException {
    Path file = write("b.yaml", 1);
    ConfigWatch watch = watch(file);
    settle(watch);
    Files.writeString(folder.resolve("keys"), "a sha256:" + Sha256.hex("key") + "\n");
    Files.writeString(file, MODELS + "retries: 2\napi_keys: {file: keys}\n");
    settle(watch);
    settle(watch);
    assertMetric("warmpath_config_reloads_total 1");
  }

  @Test
  void keepsWhatHeldWhenTheFileIsGone() throws IOException {
    Path file = write("b.yaml", 1);
    ConfigWatch watch = watch(file);
    settle(watch);
    Files.delete(file);
    settle(watch);
    assertMetric("warmpath_config_reload_failures_total 1");
    assertEquals(List.of(1), retries);
  }

  @Test
  void saysWhichFieldsNeedARestart() throws IOException {
    Path file = write("b.yaml", 1);
    ConfigWatch watch = watch(file);
    settle(watch);
    Files.writeString(file, MODELS + "retries: 2\nlisten: {host: 127.0.0.1, port: 9}\nname: n\n");
    settle(watch);
    assertEquals(List.of(1, 2), retries);
    assertMetric("warmpath_config_fields_needing_restart 2");
    write("b.yaml", 2);
    settle(watch);
    assertMetric("warmpath_config_fields_needing_restart 0");
  }

  @Test
  void countsAConfigurationThatCannotTakeEffectAsRefused() throws IOException {
    Path file = write("b.yaml", 1);
    ConfigWatch watch =
        new ConfigWatch(
            file,
            ConfigFile.read(file),
            loaded -> {
              throw new IllegalArgumentException("no");
            },
            state,
            () -> 9_000);
    settle(watch);
    assertMetric("warmpath_config_reload_failures_total 1");
  }

  private ConfigWatch watch(Path file) {
    return new ConfigWatch(
        file,
        ConfigFile.read(file),
        loaded -> retries.add(loaded.config().maxRetries()),
        state,
        () -> 9_000);
  }

  private static void settle(ConfigWatch watch) {
    watch.look();
    watch.look();
  }

  private Path write(String name, int retries) throws IOException {
    return Files.writeString(folder.resolve(name), MODELS + "retries: " + retries + "\n");
  }

  private void assertMetric(String line) {
    PrometheusText text = new PrometheusText();
    state.writeTo(text);
    assertTrue(text.toString().lines().anyMatch(line::equals), text.toString());
  }
}

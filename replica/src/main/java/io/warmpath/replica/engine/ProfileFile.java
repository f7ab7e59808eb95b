package io.warmpath.replica.engine;

import java.util.List;

/** Reads profiles. */
final class ProfileFile {

  /** The built-in profiles, each a resource {@code /profiles/NAME.json}. */
  static final List<String> BUILT_IN =
      List.of(
          "founding",
          "llama-3.1-8b-a100",
          "llama-3.1-8b-h100",
          "llama-3.3-70b-4xh100",
          "llama-3.3-70b-8xh100",
          "opt-13b-a100");

  private static final SettingsFile<EngineProfile> FILES =
      new SettingsFile<>(EngineProfile.class, "profile", "/profiles/", BUILT_IN);

  private ProfileFile() {}

  static EngineProfile load(String nameOrPath) {
    return FILES.load(nameOrPath);
  }
}

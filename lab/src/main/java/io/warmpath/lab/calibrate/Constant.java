package io.warmpath.lab.calibrate;

import io.warmpath.replica.engine.EngineProfile;
import java.util.function.ToDoubleFunction;

/** The constants of a profile that times tell. */
public enum Constant {
  REQUEST("request_overhead_us", EngineProfile::requestOverheadUs),
  STEP("b0_us", EngineProfile::b0Us),
  PREFILL_TOKEN("b1_us_per_prefill_token", EngineProfile::b1UsPerPrefillToken),
  DECODE_SEQUENCE("b2_us_per_decode_sequence", EngineProfile::b2UsPerDecodeSequence),
  DECODE_CONTEXT_TOKEN(
      "attention_us_per_decode_context_token", EngineProfile::attentionUsPerDecodeContextToken),
  PREFILL_PAIR("attention_us_per_prefill_pair", EngineProfile::attentionUsPerPrefillPair);

  static final int COUNT = values().length;

  private final String field;
  private final ToDoubleFunction<EngineProfile> value;

  Constant(String field, ToDoubleFunction<EngineProfile> value) {
    this.field = field;
    this.value = value;
  }

  /** Its name in a profile's file. */
  public String field() {
    return field;
  }

  /** Its value in a profile. */
  public double of(EngineProfile profile) {
    return value.applyAsDouble(profile);
  }
}

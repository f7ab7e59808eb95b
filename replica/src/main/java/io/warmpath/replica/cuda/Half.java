package io.warmpath.replica.cuda;

/** IEEE 754 half precision, which Java 17 lacks. */
final class Half {

  private static final int SIGN = 0x8000;
  private static final int INFINITE = 0x7c00;
  private static final int FRACTION_BITS = 10;
  private static final int FRACTION = (1 << FRACTION_BITS) - 1;
  private static final int BIAS = 15;

  /** Above this, infinity is nearer than the largest finite half. */
  private static final float OVERFLOW = 65_520;

  private Half() {}

  static float toFloat(short half) {
    float magnitude;
    int exponent = (half & INFINITE) >> FRACTION_BITS;
    int fraction = half & FRACTION;
    if (exponent == 0) {
      magnitude = Math.scalb((float) fraction, 1 - BIAS - FRACTION_BITS);
    } else if (exponent == INFINITE >> FRACTION_BITS) {
      magnitude = fraction == 0 ? Float.POSITIVE_INFINITY : Float.NaN;
    } else {
      magnitude =
          Math.scalb((float) (fraction | 1 << FRACTION_BITS), exponent - BIAS - FRACTION_BITS);
    }
    return (half & SIGN) == 0 ? magnitude : -magnitude;
  }

  /** The nearest one, of two equally near the even one. */
  static short fromFloat(float value) {
    int sign = Float.floatToRawIntBits(value) >>> 16 & SIGN;
    float magnitude = Math.abs(value);
    if (Float.isNaN(value)) {
      return (short) (INFINITE | FRACTION);
    }
    if (magnitude >= OVERFLOW) {
      return (short) (sign | INFINITE);
    }
    int exponent = Math.max(Math.getExponent(magnitude), 1 - BIAS);
    // In units of the last place: a whole number up to 2^11, which rint rounds as wanted.
    int units = (int) Math.rint(Math.scalb((double) magnitude, FRACTION_BITS - exponent));
    // A carry out of the fraction raises the exponent by itself; below 2^10 there is none yet.
    int bits = units + (exponent + BIAS - 1 << FRACTION_BITS);
    return (short) (sign | bits);
  }

  static float round(float value) {
    return toFloat(fromFloat(value));
  }
}

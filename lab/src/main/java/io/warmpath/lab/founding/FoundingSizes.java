package io.warmpath.lab.founding;

/**
 * Sizes that were not published, uniform between their limits, in tokens.
 * docs/founding-experiment.md says how they were fitted.
 *
 * @param leastDocument least document of a text conversation; published is 4,000 and more
 * @param mostDocument greatest document
 * @param leastCode least piece of code
 * @param mostCode greatest piece of code
 * @param leastQuestion least question, the first one of a conversation follows the document or code
 * @param mostQuestion greatest question
 * @param leastAnswer least answer
 * @param mostAnswer greatest answer if it were not cut off
 * @param answerLimit where answers are cut off; published is 500
 */
public record FoundingSizes(
    int leastDocument,
    int mostDocument,
    int leastCode,
    int mostCode,
    int leastQuestion,
    int mostQuestion,
    int leastAnswer,
    int mostAnswer,
    int answerLimit) {

  /** The sizes that fit the published figures. */
  public static final FoundingSizes FITTED =
      new FoundingSizes(4_000, 22_000, 500, 3_000, 20, 120, 160, 840, 500);
}

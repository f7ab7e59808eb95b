package io.warmpath.lab.founding;

import io.warmpath.routing.prompt.QuadTokenizer;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What a user says in one turn: a number of tokens of {@link QuadTokenizer}, and the text that has
 * exactly so many. Texts of different seeds differ within the first few tokens, so that two
 * conversations share no block.
 *
 * @param kind kind of the conversation
 * @param tokens length, at least {@link #LEAST_TOKENS}
 * @param seed what the text is generated from
 */
public record UserText(Conversation.Kind kind, int tokens, long seed) {

  /** Room for the heading that makes a text its own. */
  public static final int LEAST_TOKENS = 8;

  private static final int BYTES_PER_TOKEN = 4;

  /** Each begins a token of its own, by its space or by the end of line before it. */
  private static final List<String> WORDS =
      List.of(
          " the",
          " of",
          " and",
          " to",
          " in",
          " is",
          " that",
          " for",
          " with",
          " as",
          " at",
          " by",
          " from",
          " this",
          " which",
          " but",
          " not",
          " are",
          " its",
          " each",
          " time",
          " year",
          " water",
          " river",
          " market",
          " measure",
          " between",
          " harbour",
          " council",
          " engine",
          " traveller",
          " letter",
          " question",
          " morning",
          " mountain",
          " account",
          " history",
          " village",
          " winter",
          " journey",
          " record",
          " evidence",
          " region",
          " method",
          " report",
          " signal",
          " pattern",
          " chapter.",
          " method.",
          " there.",
          " again.");

  private static final List<String> LINES =
      List.of(
          "def load(path):\n",
          "    with open(path) as source:\n",
          "        return source.read()\n",
          "for item in items:\n",
          "    total += item.weight\n",
          "    if item.weight > limit:\n",
          "        continue\n",
          "class Parser:\n",
          "    def next_token(self):\n",
          "        return self.tokens[self.position]\n",
          "while queue:\n",
          "    node = queue.pop()\n",
          "    visited.add(node)\n",
          "result = merge(left, right)\n",
          "assert result == expected\n",
          "    raise ValueError(name)\n",
          "    yield key, value\n",
          "index = {name: i for i, name in enumerate(names)}\n",
          "try:\n",
          "    connection.commit()\n",
          "except TimeoutError:\n",
          "    retries -= 1\n",
          "print(total / len(items))\n");

  /** Pieces of one token, to end a text on its number. */
  private static final List<String> SHORT_WORDS = List.of(" so", " we", " it", " or", " on", " no");

  private static final List<String> SHORT_LINES = List.of("f()\n", "g()\n", "x+y\n", "end\n");

  public UserText {
    if (tokens < LEAST_TOKENS) {
      throw new IllegalArgumentException(
          "a text has at least " + LEAST_TOKENS + " tokens: " + tokens);
    }
  }

  /** The text, generated anew at each call. */
  public String render() {
    SplittableRandom random = new SplittableRandom(seed);
    StringBuilder text = new StringBuilder(tokens * BYTES_PER_TOKEN);
    String heading = "Item %08x:\n".formatted(random.nextInt());
    text.append(heading);
    int left = tokens - tokensOf(heading);
    boolean code = kind == Conversation.Kind.CODE;
    List<String> pieces = code ? LINES : WORDS;
    List<String> shortPieces = code ? SHORT_LINES : SHORT_WORDS;
    while (left > 0) {
      String piece = pieces.get(random.nextInt(pieces.size()));
      if (tokensOf(piece) > left) {
        piece = shortPieces.get(random.nextInt(shortPieces.size()));
      }
      text.append(piece);
      left -= tokensOf(piece);
    }
    return text.toString();
  }

  /** Tokens of an ASCII text that begins a token and has no end of line but at its own end. */
  private static int tokensOf(String piece) {
    int count = 1;
    int length = 0;
    for (int i = 0; i < piece.length(); i++) {
      if (length > 0 && (length == BYTES_PER_TOKEN || piece.charAt(i) == ' ')) {
        count++;
        length = 0;
      }
      length++;
    }
    return count;
  }
}

package io.warmpath.lab.screen;

import java.io.PrintWriter;
import java.util.Map;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;

/**
 * What people see: lines, and on a terminal one line of progress that is written over. Colours only
 * on a terminal. Safe for concurrent use.
 */
public final class Screen {

  private static final String CLEAR_LINE = "\r\u001b[K";

  private final PrintWriter out;
  private final Ansi ansi;
  private final boolean terminal;
  private boolean progressShown;

  /** A screen on a writer, with or without the codes of a terminal. */
  public Screen(PrintWriter out, Ansi ansi) {
    this(out, ansi, ansi.enabled());
  }

  /**
   * A screen on a writer.
   *
   * @param ansi whether there are colours
   * @param terminal whether a line can be written over
   */
  Screen(PrintWriter out, Ansi ansi, boolean terminal) {
    this.out = out;
    this.ansi = ansi;
    this.terminal = terminal;
  }

  /** The screen of a command. */
  public static Screen of(CommandSpec spec) {
    return new Screen(spec.commandLine().getOut(), Ansi.AUTO, isTerminal(System.getenv()));
  }

  /** NO_COLOR takes the colours away, which is all that picocli asks; progress stays. */
  private static boolean isTerminal(Map<String, String> environment) {
    return Ansi.AUTO.enabled()
        || (System.console() != null
            && environment.containsKey("NO_COLOR")
            && !"dumb".equals(environment.get("TERM")));
  }

  /** Whether progress is seen at all. */
  public boolean isTerminal() {
    return terminal;
  }

  /** A line that stays. */
  public synchronized void line(String text) {
    clearProgress();
    out.println(text);
    out.flush();
  }

  /** A line that stays, in picocli's markup for styles: {@code @|bold …|@}. */
  public synchronized void styled(String markup) {
    line(ansi.string(markup));
  }

  /** The line of progress; nothing where the output is no terminal. */
  public synchronized void progress(String text) {
    if (terminal) {
      out.print(CLEAR_LINE + text);
      out.flush();
      progressShown = true;
    }
  }

  private void clearProgress() {
    if (progressShown) {
      out.print(CLEAR_LINE);
      progressShown = false;
    }
  }
}

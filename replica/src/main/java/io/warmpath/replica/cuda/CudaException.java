package io.warmpath.replica.cuda;

/** A CUDA call that failed, or no CUDA at all. The message says which, why, and what it means. */
public final class CudaException extends RuntimeException {

  private static final long serialVersionUID = 1;

  CudaException(String message) {
    super(message);
  }

  CudaException(String message, Throwable cause) {
    super(message, cause);
  }
}

/**
 * Errors are sorted by the reaction that they ask for, not by the place where they arose: a
 * retryable one is tried again, a fatal one stops the process with its message. Every error has a
 * stable `code` in UPPER_SNAKE_CASE that scripts may rely on; the message is for people and says
 * what to do. HTTP statuses live in `api/errors.ts` alone.
 */
export abstract class IndexerError extends Error {
  readonly code: string;

  constructor(code: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.code = code;
  }
}

/** Something outside failed and may work the next time: a server, a socket, a limit. */
export class RetryableError extends IndexerError {}

/** Trying again cannot help: wrong configuration, a fenced writer, data of a newer format. */
export class FatalError extends IndexerError {}

/** What was handed in is wrong (an address, a parameter, a cell); nothing was changed. */
export class InvalidInputError extends IndexerError {}

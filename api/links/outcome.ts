import type { ErrorCode } from '../errors.ts';

/** A link, or why there is none: both are answers. `cause` is for the log, where there is more to know. */
export type Outcome<T> = { link: T } | { refused: ErrorCode; cause?: unknown };

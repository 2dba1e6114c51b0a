import type { Middleware } from 'koa';
import { NotAcceptedError } from '../chain/chain.ts';
import { LiteserverError, MalformedError, NotYetError } from './parameters.ts';

/** Answers failures as a v4 server does: not yet, malformed, and everything else as 500 with a text. */
export const answerErrors: Middleware = async (context, next) => {
  try {
    await next();
  } catch (error) {
    if (error instanceof NotYetError) {
      context.body = { exist: false };
    } else if (error instanceof MalformedError) {
      context.status = 400;
      context.body = error.message;
    } else if (error instanceof NotAcceptedError || error instanceof LiteserverError) {
      context.status = 500;
      context.body = error.message;
    } else {
      throw error;
    }
  }
};

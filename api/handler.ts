import type { Context } from 'koa';
import type { Claims } from './claims.ts';
import type { Endpoint } from './endpoint.ts';
import { ApiError, type ErrorCode, isErrorCode } from './errors.ts';
import { compileQuery, rawAddress } from './parameters.ts';
import { ApiRequest, type PathAddresses, type Services } from './request.ts';
import { sendAnswer } from './respond.ts';

export interface HandlerOptions {
  authenticate: (ctx: Context) => Promise<Claims>;
  clock: () => number;
  services: Services;
}

/** The checks in the order that every endpoint has them: token, path, scope; the endpoint's own come after. */
export function createHandler(endpoint: Endpoint, options: HandlerOptions): (ctx: Context) => Promise<void> {
  const { authenticate, clock, services } = options;
  const parseQuery = compileQuery(endpoint.operation.parameters);
  const parsePath = compilePath(endpoint);
  return async (ctx) => {
    const claims = await authenticate(ctx);
    const path = parsePath(ctx['params'] as Record<string, string>);
    // A campaign's DAO is the token's, or the token is refused.
    ctx.state['dao'] = path['dao_address'] ?? claims.dao;
    if (!claims.scopes.includes(endpoint.scope)) throw new ApiError('forbidden_scope');
    const request = new ApiRequest(ctx, claims, path, clock(), parseQuery, services);
    sendAnswer(ctx, await endpoint.answer(request));
  };
}

/** Every parameter of a path is an address; `{address}` alone is a campaign's. */
function compilePath({ operation }: Endpoint): (params: Record<string, string>) => PathAddresses {
  const checks = operation.parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name }) => ({ name, invalid: `invalid_${name === 'address' ? 'campaign_address' : name}` }));
  for (const { invalid } of checks) {
    if (!isErrorCode(invalid)) throw new TypeError(`api/errors.ts lacks the code ${invalid}`);
  }
  return (params) => {
    const path: Record<string, string> = {};
    for (const { name, invalid } of checks) {
      const raw = rawAddress(params[name] ?? '');
      if (raw === undefined) throw new ApiError(invalid as ErrorCode);
      path[name] = raw;
    }
    return path;
  };
}

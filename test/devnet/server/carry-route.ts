import type { Router } from '@koa/router';
import type { Cell } from '@ton/core';
import { readJson } from './json-body.ts';
import { readAddress, readBoc } from './parameters.ts';

/** Puts an action to the vote of a DAO and has its council carry it; the proposal's raw address. */
export type Carry = (dao: string, payload: Cell) => Promise<string>;

/** `POST /devnet/carry {dao, payload}`: no part of the v4 API, but how a DAO of the devnet is made to act from outside. */
export function carryRoute(router: Router, carry: Carry): void {
  router.post('/devnet/carry', async (context) => {
    const { dao, payload } = await readJson(context, 'dao', 'payload');
    context.body = { proposal: await carry(readAddress(String(dao)).toRawString(), readBoc(payload)) };
  });
}

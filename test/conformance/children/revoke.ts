import type { RevocationList } from '../../../shared/revocations/revocation-list.ts';

/** Revokes one token after the other, and prints the id of each. */
const [module = '', at = ''] = process.argv.slice(2);
const { open }: { open: (at: string) => Promise<RevocationList> } = await import(module);
const list = await open(at);
for (let n = 0; ; n++) {
  await list.revoke({ jti: `child ${n}`, exp: 4_102_444_800 });
  console.log(`child ${n}`);
  await new Promise((resolve) => setImmediate(resolve));
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../shared/config.ts';
import { type Cast, contributeAnew, targetsOf, upgradeCampaign } from './chain.ts';

/** Nanoton. */
const AMOUNT = 1_000_000_000n;

// On the chain of a running demo: the first half of the drill, for whoever walks through it by hand.
const cast = JSON.parse(readFileSync(join(readConfig(process.env).DATA_DIR, 'demo.json'), 'utf8')) as Cast;
const targets = targetsOf(cast);
for (const target of targets) {
  await upgradeCampaign(cast.chainUrl, target);
  console.log(`campaign ${target.campaign} runs 6.2 now`);
}
for (const target of targets) {
  await contributeAnew(cast.chainUrl, target, AMOUNT);
  console.log(`${target.investor.address} has contributed ${AMOUNT} nanoton to ${target.campaign}`);
}

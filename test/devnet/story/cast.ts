import { type KeyPair, mnemonicToPrivateKey } from '@ton/crypto';
import { type Actor, plainActor, type WalletVersion, walletActor } from './actor.ts';
import { mnemonics } from './mnemonics.ts';

/** A wallet that people are given the key of. */
export interface Hero extends Actor {
  mnemonic: string;
  version: WalletVersion;
}

/** Those who act in the story. */
export interface Cast {
  /** Hold most of the GP, so that a handful of votes decides. */
  council: Actor[];
  crowd: Actor[];
  heroes: Hero[];
}

/** The actors of a DAO whose wallets nobody has the keys of. */
export function plainActors(seed: string, name: string, count: number): Actor[] {
  return Array.from({ length: count }, (_, index) => plainActor(`${seed} ${name} ${index}`));
}

/** The wallets that are handed out: v4 and v5r1 in turn. */
export async function heroes(): Promise<Hero[]> {
  return Promise.all(
    mnemonics.map(async (mnemonic, index) => {
      const keys: KeyPair = await mnemonicToPrivateKey(mnemonic.split(' '));
      const version = index % 2 === 0 ? 'v4' : 'v5r1';
      return { ...walletActor(version, keys), mnemonic, version };
    }),
  );
}

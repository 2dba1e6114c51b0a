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

const INVESTORS = 200;

/** How many take part in each DAO beside the wallets that are handed out. */
const sizes: Record<string, { council: number; crowd: number }> = {
  Harbour: { council: 8, crowd: 170 },
  Orchard: { council: 4, crowd: 50 },
};

/** The few who hold most of a DAO's GP. */
export function councilOf(dao: string, seed: string): Actor[] {
  return plainActors(`${seed} ${dao} council`, sizes[dao]?.council ?? 0);
}

/** The many who hold the rest. */
export function crowdOf(dao: string, seed: string): Actor[] {
  return plainActors(`${seed} ${dao} crowd`, sizes[dao]?.crowd ?? 0);
}

/** Those who take part in a DAO's campaigns without holding its GP. */
export function investorsOf(dao: string, seed: string): Actor[] {
  return plainActors(`${seed} ${dao} investor`, INVESTORS);
}

function plainActors(name: string, count: number): Actor[] {
  return Array.from({ length: count }, (_, index) => plainActor(`${name} ${index}`));
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

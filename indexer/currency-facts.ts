import { type JettonContent, loadJettonContent } from '../shared/contracts/jetton/content.ts';
import { IndexerError } from '../shared/errors.ts';
import type { CampaignFacts } from '../shared/event-log/record.ts';
import type { Session } from './session.ts';

export type CurrencyFacts = NonNullable<CampaignFacts['currency']>;

// Each helper and vault of a campaign repeats these facts in its record.
const MAX_SYMBOL = 64;
const MAX_IMAGE = 2048;
/** By TEP-64, where the metadata name none. */
const DEFAULT_DECIMALS = 9;

/**
 * What a campaign's currency is called, from its minter's `get_jetton_data` at block `seqno`. The
 * jetton itself is not tracked: millions may use it. Whatever cannot be learned is null for good.
 */
export async function currencyFacts(session: Session, minter: string, seqno: number): Promise<CurrencyFacts> {
  const content = await contentOf(session, minter, seqno);
  if (!content) session.logger.warn({ minter, seqno }, 'this currency tells no jetton metadata');
  const { metadata, isWhole } = content
    ? await wholeMetadata(session, minter, content)
    : { metadata: {}, isWhole: false };
  return {
    minter,
    symbol: textIn(metadata['symbol'], MAX_SYMBOL),
    decimals: decimalsIn(metadata['decimals'] ?? (isWhole ? DEFAULT_DECIMALS : null)),
    image: textIn(metadata['image'], MAX_IMAGE),
  };
}

async function contentOf({ chain, logger, signal }: Session, minter: string, seqno: number) {
  const { status } = await chain.accountLite(seqno, minter);
  if (status !== 'active') return null;
  try {
    const { exitCode, result } = await chain.runMethod(seqno, minter, 'get_jetton_data');
    if (exitCode !== 0 && exitCode !== 1) return null;
    const item = result[3];
    return item && 'cell' in item ? loadJettonContent(item.cell) : null;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof IndexerError && error.code !== 'METHOD_UNANSWERED') throw error;
    logger.warn({ minter, seqno, err: error }, 'get_jetton_data of this currency is not readable');
    return null;
  }
}

/** With what is off-chain, tried once: following waits for it. `isWhole` where nothing is missing. */
async function wholeMetadata(
  { fetchMetadata, signal, logger }: Session,
  minter: string,
  { metadata, uri }: JettonContent,
): Promise<{ metadata: Record<string, unknown>; isWhole: boolean }> {
  const isEnough = ['symbol', 'decimals', 'image'].every((name) => name in metadata);
  if (uri === null || isEnough) return { metadata, isWhole: Object.keys(metadata).length > 0 };
  try {
    // By TEP-64 what is on the chain outweighs what is not.
    return { metadata: { ...(await fetchMetadata(uri, signal)), ...metadata }, isWhole: true };
  } catch (error) {
    signal.throwIfAborted();
    logger.warn({ minter, uri, err: error }, 'no off-chain metadata of this currency; it is not tried again');
    return { metadata, isWhole: false };
  }
}

function textIn(value: unknown, maxLength: number): string | null {
  return typeof value === 'string' && value !== '' && value.length <= maxLength ? value : null;
}

/** TEP-64: a number from 0 to 255, as text; JSON in use also writes it as a number. */
function decimalsIn(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^\d{1,3}$/.test(text)) return null;
  return Number(text) <= 255 ? Number(text) : null;
}

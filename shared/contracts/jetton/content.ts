import { createHash } from 'node:crypto';
import { beginCell, type Cell, Dictionary, type Slice } from '@ton/core';
import { loadSnakeBytes, loadSnakeText, snakeBytes } from '../snake-text.ts';

/** Jetton metadata (TEP-64): what the cell itself says, and where the rest is to be fetched. */
export interface JettonContent {
  metadata: Record<string, string>;
  /** Of off-chain and semi-chain content. */
  uri: string | null;
}

const ON_CHAIN = 0x00;
const OFF_CHAIN = 0x01;
const SNAKE = 0x00;
const CHUNKED = 0x01;

const attributes = [
  'uri',
  'name',
  'description',
  'image',
  'image_data',
  'symbol',
  'decimals',
  'amount_style',
  'render_type',
] as const;

const attributeOf = new Map(attributes.map((name) => [keyOf(name), name]));

/**
 * Reads a content cell. Attributes that TEP-64 does not name are left out, for their names are known
 * by hash alone; `image_data` is shown in base64. A cell of no known form gives no metadata.
 */
export function loadJettonContent(content: Cell): JettonContent {
  const slice = content.beginParse();
  if (slice.remainingBits < 8) return { metadata: {}, uri: null };
  const form = slice.loadUint(8);
  if (form === OFF_CHAIN) {
    const uri = loadSnakeText(slice);
    return { metadata: { uri }, uri };
  }
  if (form !== ON_CHAIN) return { metadata: {}, uri: null };
  const metadata = loadAttributes(slice);
  return { metadata, uri: metadata['uri'] ?? null };
}

/** An on-chain content cell of these attributes. */
export function onChainContent(metadata: Partial<Record<(typeof attributes)[number], string>>): Cell {
  const dictionary = Dictionary.empty(Dictionary.Keys.BigUint(256), Dictionary.Values.Cell());
  for (const [name, value] of Object.entries(metadata)) {
    const bytes = Buffer.from(value, name === 'image_data' ? 'base64' : 'utf8');
    dictionary.set(BigInt(`0x${keyOf(name)}`), snakeBytes(bytes, 126, beginCell().storeUint(SNAKE, 8)));
  }
  return beginCell().storeUint(ON_CHAIN, 8).storeDict(dictionary).endCell();
}

/** An off-chain content cell. */
export function offChainContent(uri: string): Cell {
  return snakeBytes(Buffer.from(uri, 'utf8'), 126, beginCell().storeUint(OFF_CHAIN, 8));
}

function loadAttributes(slice: Slice): Record<string, string> {
  const dictionary = slice.loadDict(Dictionary.Keys.BigUint(256), Dictionary.Values.Cell());
  const found = new Map<string, string>();
  for (const [key, cell] of dictionary) {
    const name = attributeOf.get(key.toString(16).padStart(64, '0'));
    const bytes = name && loadValue(cell);
    if (bytes) found.set(name, bytes.toString(name === 'image_data' ? 'base64' : 'utf8'));
  }
  // In the standard's order, so that the same content always gives the same bytes.
  return Object.fromEntries(
    attributes.flatMap((name) => (found.has(name) ? [[name, found.get(name) as string]] : [])),
  );
}

function loadValue(cell: Cell): Buffer | undefined {
  const slice = cell.beginParse();
  // Minters in use also keep the prefixed value in a further reference.
  if (slice.remainingBits === 0 && slice.remainingRefs === 1) return loadValue(slice.loadRef());
  if (slice.remainingBits < 8) return undefined;
  const form = slice.loadUint(8);
  if (form === SNAKE) return loadSnakeBytes(slice);
  if (form !== CHUNKED) return undefined;
  const chunks = slice.loadDict(Dictionary.Keys.Uint(32), Dictionary.Values.Cell());
  return Buffer.concat(
    chunks
      .keys()
      .sort((a, b) => a - b)
      .map((key) => loadSnakeBytes((chunks.get(key) as Cell).beginParse())),
  );
}

function keyOf(name: string): string {
  return createHash('sha256').update(name).digest('hex');
}

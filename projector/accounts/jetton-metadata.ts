import type { MinterEvent } from '../../shared/contracts/jetton/minter-event.ts';
import type { AccountFact, JsonObject } from '../account-fold.ts';

/** What is known of a jetton beside its supply. */
export type MetadataState = {
  /** What the chain says of it. */
  metadata: { [attribute: string]: string };
  /** What was fetched, by URI. */
  fetched: { [uri: string]: JsonObject };
};

export function metadataChangedBy<S extends MetadataState>(state: S, event: MinterEvent): S {
  return event.type === 'minter_deployed' || event.type === 'content_changed'
    ? { ...state, metadata: event.metadata }
    : state;
}

export function learnMetadata<S extends MetadataState>(state: S, fact: AccountFact): S {
  if (fact.type !== 'jetton_metadata') return state;
  return { ...state, fetched: { ...state.fetched, [fact.uri]: fact.metadata } };
}

/** What the chain says of the jetton stands above what was fetched (TEP-64, semi-chain). */
export function metadataOf({ metadata, fetched }: MetadataState): JsonObject {
  const { uri } = metadata;
  return { ...(uri === undefined ? undefined : fetched[uri]), ...metadata };
}

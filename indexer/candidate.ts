import type { ContractKind } from '../shared/contracts/contract-kind.ts';
import type { DeployedState } from '../shared/event-log/record.ts';

/** An account that a tracked one gives evidence of. */
export interface Candidate {
  account: string;
  kind: ContractKind;
  /** The tracked account whose chain or storage is the evidence. */
  parent: string;
  /** The state that the evidence deploys it with. */
  init: DeployedState | null;
  /** Of a campaign; null where its first message is of a layout that is not known. */
  terms?: CampaignTerms | null;
}

/** What the message that deploys a campaign says of it. */
export interface CampaignTerms {
  dao: string;
  name: string;
  lpMinter: string;
  /** Minter of the currency; null for the native one. */
  currency: string | null;
}

/** What a transaction of a jetton minter means. */
export type MinterEvent =
  | {
      type: 'minter_deployed';
      total_supply: string;
      admin: string | null;
      metadata: Record<string, string>;
      wallet_code_hash: string;
    }
  | { type: 'minted'; to: string; amount: string }
  | { type: 'mint_bounced'; amount: string }
  | { type: 'supply_burned'; owner: string; amount: string }
  | { type: 'admin_changed'; admin: string }
  | { type: 'content_changed'; metadata: Record<string, string> };

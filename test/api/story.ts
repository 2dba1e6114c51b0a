import type { MemoryStore } from './memory-store.ts';

export const address = (number: number) => `0:${number.toString(16).padStart(64, '0')}`;
export const DAO = address(0xda0);
export const OTHER_DAO = address(0xda1);
export const VOTER = address(0x207);
export const HOLDERS = 25;

export const daoBody = {
  address: DAO,
  owner_address: address(1),
  name: 'Harbour "Guild" ⚓',
  jetton_address: address(2),
  jetton_metadata: { symbol: 'HRB', decimals: '9', nested: { status: 'x' } },
  success_percentage: 50.5,
  total_supply: '1000000',
  date_create: '2025-01-15T08:30:00Z',
  plugins: [
    { address: address(3), type: 'lp_manager', lp_manager_index: 0, lp_jetton_master_address: address(4) },
    { address: address(5), type: 'unknown', lp_manager_index: null },
  ],
  crowdfunding_status: 'enabled',
};

/** Unix seconds at which the proposal with this number expires. */
export const expiryOf = (id: number) => 1_760_000_000 + id * 100;

/** As the projector stores it: without `dao` and `is_user_voted`, `status` as the chain tells it. */
export function proposalBody(id: number, status: string, more: object = {}) {
  return {
    proposal_id: id,
    name: `"status":"active","date_expire":"1999-01-01T00:00:00Z" ${id}`,
    description: '\\"status":"unknown"',
    address: address(0x900 + id),
    dao_address: DAO,
    jetton_master_address: address(2),
    initiated_by_address: address(1),
    success_amount: status === 'mine' ? '0' : '510000',
    current_amount: '7',
    total_supply: status === 'mine' ? '0' : '1000000',
    success_percentage: 50.5,
    date_start: '2025-09-01T00:00:00Z',
    date_expire: iso(expiryOf(id)),
    type: 'transfer_ton',
    data: { to: address(9), amount: '5', comment: 'hi' },
    status,
    raw_data: 'te6cckEBAQEAAgAAAEysuc0=',
    ...more,
  };
}

export function iso(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}

export const descending = (number: number) => String(1_000_000 - number).padStart(12, '0');

/** A DAO with 25 holders and 5 proposals, one of each way to be; proposal 5 has three votes. */
export function fill(store: MemoryStore): void {
  store.put('dao', DAO, daoBody);
  store.put('dao_state', DAO, { state: 'live' });
  for (let index = 0; index < HOLDERS; index += 1) {
    const body = {
      jetton_wallet_address: address(0x100 + index),
      owner_address: address(0x200 + index),
      balance: String(1000 - index),
    };
    store.enlist(`holders/${DAO}`, `${String(index).padStart(4, '0')}/${body.owner_address}`, body);
  }
  for (const [id, status] of [
    [1, 'executed'],
    [2, 'active'],
    [3, 'unknown'],
    [4, 'mine'],
    [5, 'active'],
  ] as const) {
    const more = status === 'unknown' ? { type: 'unknown', data: {} } : {};
    const body = proposalBody(id, status, more);
    store.enlist(`proposals/${DAO}`, descending(id), body);
    if (status === 'active' || status === 'unknown') {
      store.enlist(`undecided/${DAO}`, `${String(expiryOf(id)).padStart(12, '0')}/${body.address}`, '{}');
    }
  }
  const proposal = address(0x905);
  for (const index of [5, 6, 7]) {
    const voter = address(0x200 + index);
    const body = {
      proposal_address: proposal,
      voter_address: voter,
      amount: '3',
      date_create: iso(1_759_000_000 + index),
    };
    store.enlist(`votes/${DAO}/${proposal}`, descending(index), body);
    store.put('votes', `${DAO}/${proposal}/${voter}`, body);
  }
}

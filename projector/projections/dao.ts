import { isoTime } from '../../shared/iso-time.ts';
import type { JsonObject } from '../account-fold.ts';
import type { DaoState } from '../accounts/dao.ts';
import type { Parts, Projection } from '../projection.ts';

type DaoPart = Omit<DaoState, 'code_hash'> & { version: string | null };
type MinterPart = { total_supply: string; jetton_metadata: JsonObject };
type LpMinterPart = { lp_minter: string; manager: string | null; jetton_metadata: JsonObject };

/** Endpoint 1: a DAO joined with the minters of its GP and LP jettons. */
export const dao: Projection = {
  name: 'dao',
  version: 1,
  shared: true,
  render: (address, parts) => {
    const part = parts.get(address) as DaoPart | undefined;
    if (!part) return null;
    const minter = parts.get(part.jetton_minter) as MinterPart | undefined;
    return {
      body: {
        address,
        owner_address: part.owner,
        name: part.name,
        jetton_address: part.jetton_minter,
        jetton_metadata: minter?.jetton_metadata ?? {},
        success_percentage: part.basis_points / 100,
        total_supply: minter?.total_supply ?? '0',
        date_create: isoTime(part.created_at),
        plugins: part.plugins.map((plugin) => pluginBody(plugin, part.version, parts)),
        crowdfunding_status: crowdfundingStatus(part),
      },
      entries: [],
    };
  },
};

function pluginBody(plugin: DaoPart['plugins'][number], version: string | null, parts: Parts): JsonObject {
  const type = plugin.plugin_type;
  const lp = type === 'lp_manager' ? lpMinterOf(plugin.address, parts) : undefined;
  return {
    address: plugin.address,
    type,
    lp_manager_index: type === 'lp_manager' && hasCrowdfunding(version) ? plugin.index : null,
    lp_jetton_master_address: lp?.lp_minter ?? null,
    lp_token_name: textOf(lp, 'name'),
    lp_token_symbol: textOf(lp, 'symbol'),
    lp_token_image: textOf(lp, 'image'),
    subaccount_index: type === 'subaccount' ? plugin.index : null,
    subaccount_name: type === 'subaccount' ? plugin.name : null,
    ...(plugin.crowdfunding_master_hash !== null && {
      crowdfunding_master_hash: plugin.crowdfunding_master_hash,
    }),
  };
}

/** Fetched metadata can hold anything under these names. */
function textOf(lp: LpMinterPart | undefined, attribute: string): string | null {
  const value = lp?.jetton_metadata[attribute];
  return typeof value === 'string' ? value : null;
}

function lpMinterOf(manager: string, parts: Parts): LpMinterPart | undefined {
  return ([...parts.values()] as Partial<LpMinterPart>[]).find((part) => part.manager === manager) as
    | LpMinterPart
    | undefined;
}

function crowdfundingStatus({ version, plugins }: DaoPart): 'legacy' | 'enabled' | 'ready' {
  if (!hasCrowdfunding(version)) return 'legacy';
  const types = new Set(plugins.map((plugin) => plugin.plugin_type));
  return types.has('crowdfunding') && types.has('lp_manager') ? 'ready' : 'enabled';
}

/** Crowdfunding came with 6.1; versions are `major.minor`. */
function hasCrowdfunding(version: string | null): boolean {
  const [major = 0, minor = 0] = (version ?? '').split('.').map(Number);
  return major > 6 || (major === 6 && minor >= 1);
}

import { Address, beginCell, Cell, Dictionary } from '@ton/core';
import { defaultConfig } from '@ton/sandbox';
import { MalformedError } from './parameters.ts';

// The network's configuration contract on every TON network.
const CONFIG_ADDRESS = new Address(-1, Buffer.alloc(32, 0x55));

/** The network's configuration, whole or cut down to the parameters with these ids ("0,8"). */
export function configBody(ids: string | undefined) {
  return {
    config: {
      cell: ids === undefined ? defaultConfig : only(ids),
      address: CONFIG_ADDRESS.toString({ urlSafe: true, bounceable: true }),
      globalBalance: { coins: '0' },
    },
  };
}

function only(ids: string): string {
  if (!/^-?\d+(,-?\d+)*$/.test(ids)) {
    throw new MalformedError(`not a list of configuration parameters: ${ids}`);
  }
  const wanted = new Set(ids.split(',').map(Number));
  const kinds = [Dictionary.Keys.Int(32), Dictionary.Values.Cell()] as const;
  const all = Dictionary.loadDirect(...kinds, Cell.fromBase64(defaultConfig));
  const some = Dictionary.empty(...kinds);
  for (const [id, value] of all) {
    if (wanted.has(id)) {
      some.set(id, value);
    }
  }
  const cell = some.size > 0 ? beginCell().storeDictDirect(some).endCell() : beginCell().endCell();
  return cell.toBoc({ idx: false, crc32: false }).toString('base64');
}

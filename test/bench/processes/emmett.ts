import { installEmmett } from '../emmett/install.ts';
import { type Projecting, projectWithEmmett } from '../emmett/projecting.ts';

export interface EmmettTask {
  records: number;
  projecting: Projecting;
}

// Emmett prints every error that it throws, on what is the standard output of the bench.
console.log = () => undefined;
const emmett = installEmmett();

process.on('message', ({ records, projecting }: EmmettTask) => {
  void emmett.then(async (it) => process.send?.(await projectWithEmmett(it, records, projecting)));
});
process.once('disconnect', () => process.exit());

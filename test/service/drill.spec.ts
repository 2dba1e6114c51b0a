import { runDrill } from '../drill/drill.ts';

describe('the drill: a contract was upgraded, and the read models are rebuilt while a client reads', function () {
  this.timeout(10 * 60_000);

  it('goes from the unknown opcode to the promotion, back and forth, without an error or a mixed page', () =>
    runDrill(() => {}));
});

import { expect } from 'chai';
import { RetryableError } from '../../shared/errors.ts';
import type { RevocationList } from '../../shared/revocations/revocation-list.ts';
import { rejection, type Subject, startChild } from './subject.ts';

/** A subject whose contents can be taken away beneath the lists that are open. */
export interface LosableSubject extends Subject<RevocationList> {
  lose(): Promise<void>;
}

const YEAR_2100 = 4_102_444_800;

/** What every adapter of the RevocationList promises. `create` makes an empty list. */
export function revocationListConformance(name: string, create: () => Promise<LosableSubject>): void {
  describe(`RevocationList: ${name}`, () => {
    let subject: LosableSubject;
    let opened: RevocationList[];

    async function open(): Promise<RevocationList> {
      const list = await subject.open();
      opened.push(list);
      return list;
    }

    beforeEach(async () => {
      opened = [];
      subject = await create();
    });

    afterEach(async () => {
      await Promise.all(opened.map((list) => list.close()));
      await subject.destroy();
    });

    it('revokes nothing at first', async () => {
      const list = await open();
      expect(await list.isRevoked('a')).to.equal(false);
      expect(await list.entries()).to.deep.equal([]);
    });

    it('knows the revoked tokens from the others', async () => {
      const list = await open();
      const jtis = ['b', 'a', 'a/b', '', 'é 😀', 'j'.repeat(3000), `${'j'.repeat(3000)}x`, '__proto__'];
      for (const jti of jtis) await list.revoke({ jti, exp: YEAR_2100 });
      for (const jti of jtis) expect(await list.isRevoked(jti)).to.equal(true);
      for (const jti of ['c', 'A', 'a/', 'j'.repeat(2999), ' '])
        expect(await list.isRevoked(jti)).to.equal(false);
      expect(await list.entries()).to.deep.equal(jtis.toSorted().map((jti) => ({ jti, exp: YEAR_2100 })));
    });

    it('lists no token that has expired, whenever it was revoked', async () => {
      const list = await open();
      const now = Math.floor(Date.now() / 1000);
      await list.revoke({ jti: 'old', exp: now - 60 });
      await list.revoke({ jti: 'new', exp: now + 600 });
      await list.revoke({ jti: 'older', exp: 1 });
      expect(await list.entries()).to.deep.equal([{ jti: 'new', exp: now + 600 }]);
      expect(await list.isRevoked('new')).to.equal(true);
    });

    it('keeps a token that is revoked twice until the later time', async () => {
      const list = await open();
      await list.revoke({ jti: 'a', exp: YEAR_2100 });
      await list.revoke({ jti: 'a', exp: YEAR_2100 + 5 });
      await list.revoke({ jti: 'a', exp: YEAR_2100 - 5 });
      expect(await list.entries()).to.deep.equal([{ jti: 'a', exp: YEAR_2100 + 5 }]);
    });

    it('is seen by the next call of every handle, and when opened again', async () => {
      const [list, other] = [await open(), await open()];
      for (let n = 0; n < 50; n++) {
        expect(await other.isRevoked(`t${n}`)).to.equal(false);
        await list.revoke({ jti: `t${n}`, exp: YEAR_2100 });
        expect(await other.isRevoked(`t${n}`)).to.equal(true);
      }
      expect(await (await open()).entries()).to.have.length(50);
    });

    it('is seen by the next call of this process when another one has revoked, and outlives its kill', async () => {
      const list = await open();
      const child = startChild('revoke.ts', subject);
      let durable = '';
      for (let n = 0; n < 20; n++) {
        durable = await child.line();
        expect(await list.isRevoked(durable)).to.equal(true);
      }
      await child.kill();
      expect((await (await open()).entries()).map(({ jti }) => jti)).to.include(durable);
    });

    it('takes revocations at once', async () => {
      const list = await open();
      await Promise.all(Array.from({ length: 100 }, (_, n) => list.revoke({ jti: `t${n}`, exp: YEAR_2100 })));
      expect(await list.entries()).to.have.length(100);
    });

    it('answers nothing once it has lost its contents', async () => {
      const list = await open();
      await list.revoke({ jti: 'a', exp: YEAR_2100 });
      await subject.lose();
      for (const action of [
        () => list.isRevoked('a'),
        () => list.isRevoked('b'),
        () => list.revoke({ jti: 'b', exp: YEAR_2100 }),
        () => list.entries(),
      ]) {
        const error = await rejection(action());
        expect(error).to.be.instanceOf(RetryableError).with.property('code', 'REVOCATIONS_LOST');
      }
    });
  });
}

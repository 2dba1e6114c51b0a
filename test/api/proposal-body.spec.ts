import { expect } from 'chai';
import fc from 'fast-check';
import { proposalAddress, renderProposal } from '../../api/proposal-body.ts';
import { daoBody, expiryOf, proposalBody } from './story.ts';

describe('a proposal patched in its bytes', () => {
  // Texts that look like the fields that are searched for, quotes and backslashes included.
  const nasty = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(
        fc.constantFrom(
          '"status":"',
          'active',
          '"',
          '\\',
          '"date_expire":"',
          '"address":"',
          '}',
          ',',
          'é',
          '\n',
        ),
      )
      .map((parts) => parts.join('')),
  );
  const status = fc.constantFrom('active', 'unknown', 'mine', 'executed');
  const moment = fc.integer({ min: -2, max: 2 });

  it('is the same as one that was parsed, changed and written again', () => {
    const arbitrary = fc.record({ name: nasty, description: nasty, comment: nasty, status, moment });
    const voted = fc.constantFrom(undefined, true, false);
    fc.assert(
      fc.property(
        arbitrary,
        voted,
        ({ name, description, comment, status: chain, moment: after }, isUserVoted) => {
          const stored = proposalBody(3, chain, {
            name,
            description,
            data: { to: 'x', amount: '1', comment },
          });
          const bytes = Buffer.from(JSON.stringify(stored));
          const options = { dao: Buffer.from(JSON.stringify(daoBody)), now: expiryOf(3) + after };
          const body = renderProposal(
            bytes,
            isUserVoted === undefined ? options : { ...options, isUserVoted },
          );
          const expired = after >= 0 && (chain === 'active' || chain === 'unknown');
          expect(JSON.parse(body.toString())).to.deep.equal({
            ...stored,
            status: expired ? 'rejected' : chain,
            ...(isUserVoted !== undefined && { is_user_voted: isUserVoted }),
            dao: daoBody,
          });
          expect(proposalAddress(bytes)).to.equal(stored.address);
        },
      ),
      { seed: 3, numRuns: 1000 },
    );
  });

  it('fails loudly where the stored body lacks what it needs', () => {
    expect(() => renderProposal(Buffer.from('{}'), { dao: Buffer.from('{}'), now: 0 })).to.throw('status');
  });
});

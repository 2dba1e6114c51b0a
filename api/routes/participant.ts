import { etagOf } from '../answer.ts';
import { ownDao } from '../dao-endpoint.ts';
import { readDaoState } from '../dao-state.ts';
import type { Endpoint } from '../endpoint.ts';
import { ApiError } from '../errors.ts';
import { address } from '../openapi/examples.ts';
import { pathAddress } from '../openapi/parameters.ts';

/** Endpoint 7: one document as it is stored; the DAO's own is looked for only to tell the two 404 apart. */
export const participant: Endpoint = {
  path: '/api/v1/daos/{dao_address}/participants/{owner_address}',
  scope: 'dao:read',
  operation: {
    operationId: 'getParticipant',
    tags: ['DAO'],
    summary: "One wallet's participation in the campaigns of the DAO",
    description:
      '`participant_not_found`: the wallet took part in no campaign of this DAO. Participation in other DAOs is never included.',
    parameters: [pathAddress('dao_address', 'The DAO.'), pathAddress('owner_address', 'The wallet.')],
    response: 'DaoParticipantStatus',
    example: {
      daoAddress: address('a'),
      ownerAddress: address('2'),
      campaigns: [
        {
          campaignAddress: address('5'),
          helperAddress: address('7'),
          campaignName: 'A new pier',
          isNative: true,
          amount: '20000000000',
          lpBalance: '10000000000',
          isClaimed: true,
          isRefunded: false,
          claimedAt: '2026-09-02T10:00:00Z',
          dateCreate: '2026-08-05T10:00:00Z',
          vesting: {
            vaultAddress: address('8'),
            totalLpAmount: '40000000000',
            claimedLpAmount: '10000000000',
            cliffDuration: 2592000,
            vestingDuration: 31536000,
            tgeUnlockBps: 2500,
            vestingStart: '2026-09-01T00:00:00Z',
            vestingEnd: '2027-10-01T00:00:00Z',
            isInitialized: true,
            isEmergencyReleased: false,
          },
        },
      ],
      totalInvested: '20000000000',
      totalLpHeld: '10000000000',
      totalLpVesting: '30000000000',
      activeCount: 0,
    },
    errors: ['invalid_dao_address', 'invalid_owner_address', 'dao_not_found', 'participant_not_found'],
  },
  answer(request) {
    const dao = ownDao(request);
    return request.view(async (view) => {
      const [{ served, headers }, document] = await Promise.all([
        readDaoState(view, dao),
        view.get('participants', `${dao}/${request.path['owner_address']}`),
      ]);
      if (!served) throw new ApiError('dao_not_found', headers);
      if (document === undefined) {
        const known = (await view.get('dao', dao)) !== undefined;
        throw new ApiError(known ? 'participant_not_found' : 'dao_not_found', headers);
      }
      const etag = etagOf(view.generation.id, document.version);
      return { etag, headers, body: request.matches(etag) ? null : document.body };
    });
  },
};

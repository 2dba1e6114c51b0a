import { expect } from 'chai';
import { parseJwtKeys } from '../../api/jwt-keys.ts';
import { issueToken, revocationOf } from '../../api/tokens.ts';
import { FatalError, InvalidInputError, RetryableError } from '../../shared/errors.ts';
import { ApiFixture, address, DAO, daoPath, EC, keysText, RSA, SECRET } from './fixture.ts';
import { OTHER_DAO, VOTER } from './story.ts';

describe('authentication', () => {
  const api = new ApiFixture();
  before(() => api.start());
  after(() => api.stop());

  const answer = (token: string | null, headers: Record<string, string> = {}) =>
    api.error(daoPath(), { token, headers });

  it('missing_token: no header, another scheme, or a scheme alone', async () => {
    expect(await answer(null)).to.equal('401 missing_token');
    expect(await answer(null, { authorization: 'Basic dTpw' })).to.equal('401 missing_token');
    expect(await answer(null, { authorization: 'Bearer' })).to.equal('401 missing_token');
    expect(await answer(null, { authorization: 'Bearer   ' })).to.equal('401 missing_token');
  });

  it('takes the token from the header alone', async () => {
    const token = api.token();
    expect(await api.error(`${daoPath()}?token=${token}&access_token=${token}`, { token: null })).to.equal(
      '401 missing_token',
    );
    expect(await answer(null, { cookie: `token=${token}; jwt=${token}` })).to.equal('401 missing_token');
  });

  it('takes the scheme in any case', async () => {
    const token = api.token();
    for (const scheme of ['bearer', 'BEARER', 'bEaReR', 'Bearer ']) {
      const { status } = await api.get(daoPath(), {
        token: null,
        headers: { authorization: `${scheme} ${token}` },
      });
      expect(status).to.equal(200);
    }
  });

  describe('invalid_token', () => {
    const invalid: Record<string, () => string> = {
      garbage: () => 'garbage',
      'garbage in three parts': () => 'a.b.c',
      'two tokens': () => `${api.token()} ${api.token()}`,
      'a token without its signature': () => api.token().replace(/[^.]*$/, ''),
      'a changed signature': () => api.token().replace(/.{6}$/, 'AAAAAA'),
      'a changed payload': () => api.token().replace(/\.(.)/, '.f'),
      'no signature and alg none': () => api.sign({}, { algorithm: 'none', key: '' }),
      'another algorithm of the same key': () => api.sign({}, { algorithm: 'HS512' }),
      'the wrong key': () => api.sign({}, { key: `${SECRET}!` }),
      'an unknown kid': () => api.sign({}, { keyid: 'h2' }),
      'a kid that is a name of Object': () => api.sign({}, { keyid: 'constructor' }),
      'no kid where there are several keys': () => withoutKid(),
      'the public RSA key as an HS256 secret': () =>
        api.sign({}, { keyid: 'r1', key: RSA.publicKey.export({ type: 'spki', format: 'pem' }) }),
      'the kid of a key of another algorithm': () =>
        api.sign({}, { keyid: 'h1', algorithm: 'RS256', key: RSA.privateKey }),
      'no dao_address': () => api.sign({ dao_address: undefined }),
      'a dao_address that is none': () => api.sign({ dao_address: '0:1' }),
      'no jti': () => api.sign({ jti: undefined }),
      'an empty jti': () => api.sign({ jti: '' }),
      'a jti that is no text': () => api.sign({ jti: 1 }),
      'no exp': () => api.sign({ exp: undefined }),
      'a scope that is no array': () => api.sign({ scope: 'dao:read' }),
      'a scope that does not exist': () => api.sign({ scope: ['dao:read', 'dao:write'] }),
      'an owner_address that is none': () => api.sign({ owner_address: 'me' }),
      'not valid before tomorrow': () => api.sign({ nbf: api.now + 86_400 }),
    };
    for (const [name, token] of Object.entries(invalid)) {
      it(name, async () => expect(await answer(token())).to.equal('401 invalid_token'));
    }

    it('no iat', async () => {
      const token = api.sign({ iat: undefined }, { noTimestamp: true });
      expect(await answer(token)).to.equal('401 invalid_token');
    });

    function withoutKid(): string {
      const [header = '', ...rest] = api.token().split('.');
      const { kid: _, ...bare } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string };
      return [Buffer.from(JSON.stringify(bare)).toString('base64url'), ...rest].join('.');
    }
  });

  it('accepts each algorithm with its own key, and a dao_address in any form', async () => {
    const friendly = 'EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
    const tokens = [
      api.token(),
      api.token({ kid: 'r1' }),
      api.sign({}, { keyid: 'e1', algorithm: 'ES256', key: EC.privateKey }),
      api.sign({ dao_address: DAO.toUpperCase() }),
    ];
    for (const token of tokens) expect((await api.get(daoPath(), { token })).status).to.equal(200);
    expect(await answer(api.sign({ dao_address: friendly }))).to.equal('401 invalid_token');
  });

  it('expired_token: at the second of exp, also for a token that was accepted before', async () => {
    const token = api.token({ ttlSeconds: 60 });
    expect((await api.get(daoPath(), { token })).status).to.equal(200);
    api.now += 59;
    expect((await api.get(daoPath(), { token })).status).to.equal(200);
    api.now += 1;
    expect(await answer(token)).to.equal('401 expired_token');
    expect(await answer(api.sign({ exp: api.now }))).to.equal('401 expired_token');
  });

  it('revoked_token: with the next request, also for a token that was accepted before', async () => {
    const token = api.token();
    expect((await api.get(daoPath(), { token })).status).to.equal(200);
    await api.revocations.revoke(revocationOf(api.keys, token));
    expect(await answer(token)).to.equal('401 revoked_token');
    expect((await api.get(daoPath())).status).to.equal(200);
  });

  it('lets nobody in while the revocation list cannot be asked, and recovers', async () => {
    const token = api.token();
    expect((await api.get(daoPath(), { token })).status).to.equal(200);
    api.revocations.failWith = new RetryableError('REVOCATIONS_LOST', 'redis://secret-host is gone');
    expect(await answer(token)).to.equal('500 internal_error');
    expect(await answer(api.token())).to.equal('500 internal_error');
    expect(await answer('garbage')).to.equal('401 invalid_token');
    api.revocations.failWith = undefined;
    expect((await api.get(daoPath(), { token })).status).to.equal(200);
  });

  it('forbidden_dao: a token for another DAO, on every endpoint', async () => {
    const token = api.token({ dao: OTHER_DAO });
    for (const path of ['', '/holders', '/proposals', `/proposals/${address(1)}/votes`]) {
      expect(await api.error(daoPath() + path, { token })).to.equal('403 forbidden_dao');
    }
  });

  it('forbidden_scope: a token without the scope of the endpoint', async () => {
    expect(await answer(api.token({ scope: ['crowdfunding:links'] }))).to.equal('403 forbidden_scope');
    expect(await answer(api.token({ scope: [] }))).to.equal('403 forbidden_scope');
    expect((await api.get(daoPath(), { token: api.token({ scope: ['dao:read'] }) })).status).to.equal(200);
  });

  it('checks in the order: path and method, token, address, scope, DAO, parameters, existence', async () => {
    const bad = `/api/v1/daos/nonsense/holders?limit=0`;
    const scopeless = api.token({ dao: OTHER_DAO, scope: ['crowdfunding:links'] });
    expect(await api.error(`${bad.split('?')[0]}/x`, { token: null })).to.equal('404 not_found');
    expect(await api.error(bad, { token: null, method: 'POST' })).to.equal('405 method_not_allowed');
    expect(await api.error(bad, { token: null })).to.equal('401 missing_token');
    expect(await api.error(bad, { token: scopeless })).to.equal('400 invalid_dao_address');
    expect(await api.error(`${daoPath()}/holders?limit=0`, { token: scopeless })).to.equal(
      '403 forbidden_scope',
    );
    expect(
      await api.error(`${daoPath()}/holders?limit=0`, { token: api.token({ dao: OTHER_DAO }) }),
    ).to.equal('403 forbidden_dao');
    expect(await api.error(`${daoPath()}/holders?limit=0`)).to.equal('400 invalid_limit');
    expect(await api.error(daoPath(OTHER_DAO), { token: api.token({ dao: OTHER_DAO }) })).to.equal(
      '404 dao_not_found',
    );
  });

  it('writes no token, key or header into the log, nor a driver message into an answer', async () => {
    const token = api.token();
    api.log = '';
    await api.get(daoPath(), { token });
    await api.error(`/${token}`);
    api.store.failWith = Object.assign(new Error('mongodb://user@host refused'), {
      headers: { authorization: `Bearer ${token}` },
    });
    const { text } = await api.get(daoPath(), { token });
    api.store.failWith = undefined;
    expect(text).to.equal('{"error":"internal_error"}');
    expect(api.log).to.contain('mongodb://user@host refused').and.to.contain('"status":500');
    expect(api.log).not.to.contain(token.split('.')[2]);
    expect(api.log).not.to.contain(SECRET);
  });
});

describe('the keys of the tokens', () => {
  const hs = (secret: unknown) => ({ kid: 'a', alg: 'HS256', secret });
  const secret = 'swordfish-swordfish';
  const pem = (key: typeof RSA.publicKey) => key.export({ type: 'spki', format: 'pem' }) as string;

  const wrong: Record<string, unknown> = {
    'a secret of fewer than 32 bytes': [hs(secret)],
    'no key': [],
    'no array': hs(secret.repeat(2)),
    'a secret that is no text': [hs(42)],
    'two keys of one kid': [hs(secret.repeat(2)), hs(secret.repeat(3))],
    'an algorithm that is not allowed': [{ kid: 'a', alg: 'none' }],
    HS512: [{ kid: 'a', alg: 'HS512', secret: secret.repeat(9) }],
    'a field that does not exist': [{ ...hs(secret.repeat(2)), secrett: secret }],
    'no public key': [{ kid: 'a', alg: 'RS256' }],
    'no PEM': [{ kid: 'a', alg: 'RS256', publicKey: secret }],
    'an RSA key for ES256': [{ kid: 'a', alg: 'ES256', publicKey: pem(RSA.publicKey) }],
    'an EC key for RS256': [{ kid: 'a', alg: 'RS256', publicKey: pem(EC.publicKey) }],
  };
  for (const [name, configuration] of Object.entries(wrong)) {
    it(`stop the process: ${name}`, () => refused(JSON.stringify(configuration)));
  }
  it('stop the process: not JSON', () => refused(secret));

  it('count the bytes of a secret, not its characters', () => {
    expect(() => parseJwtKeys(JSON.stringify([hs('ü'.repeat(16))]))).not.to.throw();
    refused(JSON.stringify([hs('ü'.repeat(15))]));
  });

  it('are frozen and do not print', () => {
    const keys = parseJwtKeys(keysText);
    expect([keys, ...keys].every(Object.isFrozen)).to.equal(true);
    expect(JSON.stringify(keys)).not.to.contain(SECRET);
  });

  function refused(text: string): void {
    let error: unknown;
    try {
      parseJwtKeys(text);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).to.be.instanceOf(FatalError).with.property('code', 'JWT_KEYS_INVALID');
    expect(String((error as Error).stack) + JSON.stringify(error)).not.to.contain('swordfish');
    expect((error as Error).cause).to.equal(undefined);
  }
});

describe('tokens', () => {
  const keys = parseJwtKeys(keysText);

  it('are issued by the first key that can sign, or by the one named', () => {
    const kid = (token: string) =>
      (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }).kid;
    expect(kid(issueToken(keys, { dao: DAO, ttlSeconds: 1 }).token)).to.equal('h1');
    expect(kid(issueToken(keys, { dao: DAO, ttlSeconds: 1, kid: 'r1' }).token)).to.equal('r1');
    expect(() => issueToken(keys, { dao: DAO, ttlSeconds: 1, kid: 'e1' })).to.throw(FatalError, 'privateKey');
    expect(() => issueToken(keys, { dao: DAO, ttlSeconds: 1, kid: 'x' })).to.throw(
      InvalidInputError,
      'kid x',
    );
  });

  it('refuse a lifetime or an address that is none', () => {
    for (const ttlSeconds of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => issueToken(keys, { dao: DAO, ttlSeconds })).to.throw(InvalidInputError, 'lifetime');
    }
    expect(() => issueToken(keys, { dao: 'x', ttlSeconds: 1 })).to.throw(InvalidInputError, 'address');
    expect(() => issueToken(keys, { dao: DAO, ttlSeconds: 1, owner: 'x' })).to.throw(InvalidInputError);
  });

  it('are revoked by what they hold, expired ones too, and not where they were copied wrongly', () => {
    const issued = issueToken(keys, { dao: DAO, ttlSeconds: 60, owner: VOTER }, 1_000_000);
    expect(revocationOf(keys, issued.token)).to.deep.equal({ jti: issued.jti, exp: 1_000_060 });
    expect(() => revocationOf(keys, `${issued.token.slice(0, -4)}AAAA`)).to.throw(InvalidInputError);
    expect(() => revocationOf(keys, 'garbage')).to.throw(InvalidInputError);
  });
});

import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Config } from '../shared/config.ts';
import { InvalidInputError } from '../shared/errors.ts';
import { isoTime } from '../shared/iso-time.ts';
import { openRevocationList, using } from '../shared/stores.ts';
import { SCOPES, type Scope } from './claims.ts';
import { configuredKeys } from './key-file.ts';
import { restoreRevocations, setUpTokens } from './token-setup.ts';
import { issueToken, revocationOf } from './tokens.ts';

interface IssueOptions {
  ttl: number;
  scope?: Scope[];
  owner?: string;
  kid?: string;
  json?: boolean;
}

/** Adds `token issue | revoke | list | setup | restore` to the command. */
export function addTokenCommand(cli: Command, config: Config): void {
  const token = cli.command('token').description('tokens of the API, each bound to one DAO');
  token
    .command('issue <dao>')
    .description('sign a token and print it')
    .option('--ttl <duration>', 'lifetime: seconds, or a number with s, m, h or d', seconds, 30 * 86_400)
    .addOption(new Option('--scope <scope...>', 'what it may be used for; both where absent').choices(SCOPES))
    .option('--owner <address>', 'the wallet that the token speaks for')
    .option('--kid <kid>', 'the key that signs')
    .option('--json', 'with its id and expiry')
    .action(async (dao: string, options: IssueOptions) => {
      const { ttl: ttlSeconds, json, ...rest } = options;
      const issued = issueToken(await configuredKeys(config), { dao, ttlSeconds, ...rest });
      if (json) print(issued);
      else console.log(issued.token);
    });
  token
    .command('revoke [token]')
    .description('refuse a token from now on, until it expires anyway')
    .option('--jti <id>', 'the id of a token that is not at hand')
    .option('--exp <seconds>', 'its expiry, unix seconds', Number)
    .action(async (text: string | undefined, { jti, exp }: { jti?: string; exp?: number }) => {
      const revoked =
        text === undefined ? tokenById(jti, exp) : revocationOf(await configuredKeys(config), text);
      await using(await openRevocationList(config), (list) => list.revoke(revoked));
      console.log(`revoked ${revoked.jti}`);
    });
  token
    .command('list')
    .description('the revoked tokens that have not expired')
    .option('--json', 'for scripts')
    .action(async (options: { json?: boolean }) => {
      const entries = await using(await openRevocationList(config), (list) => list.entries());
      if (options.json) return print(entries);
      for (const { jti, exp } of entries) console.log(`${jti}  expires ${isoTime(exp)}`);
    });
  token
    .command('setup')
    .description('make the list of revoked tokens of a deployment that has indexed nothing yet')
    .action(async () => console.log(await setUpTokens(config)));
  token
    .command('restore [file]')
    .description('bring back a list of revoked tokens that was lost, from what `token list --json` wrote')
    .option('--accept-loss', 'begin with an empty one: what was revoked may be used again')
    .action(async (file: string | undefined, options: { acceptLoss?: boolean }) =>
      console.log(await restoreRevocations(config, file, options.acceptLoss === true)),
    );
}

const print = (value: unknown): void => console.log(JSON.stringify(value, null, 2));

function seconds(text: string): number {
  const [, count, unit = 's'] = /^(\d{1,9})([smhd])?$/.exec(text) ?? [];
  if (count === undefined) throw new InvalidArgumentError('Give seconds, or a number with s, m, h or d.');
  return Number(count) * { s: 1, m: 60, h: 3600, d: 86_400 }[unit as 's' | 'm' | 'h' | 'd'];
}

function tokenById(jti: string | undefined, exp: number | undefined) {
  if (jti === undefined || exp === undefined || !Number.isSafeInteger(exp))
    throw new InvalidInputError('INVALID_TOKEN', 'Give the token itself, or --jti and --exp of it');
  return { jti, exp };
}

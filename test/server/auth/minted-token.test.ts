import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { OTHER_TOKEN } from '../../../src/sandbox/accounts/accounts';
import { people } from '../../../src/sandbox/data/people';
import { findOrThrow } from '../../support/find-or-throw';
import { LONG_SECRET } from '../../support/padrons/settings';
import { withPadron } from '../../support/padrons/with-padron';
import { blocksOf } from '../../support/pages';

const person = findOrThrow(people, ({ credit, account }) => Boolean(credit && account));
const query = `{ person(nss: "${person.nss}", curp: "${person.curp}") { credit { outcome } identity { outcome } housingAccount { outcome } } }`;

describe('the documented command that creates a token', () => {
  it('creates a token that is accepted for its scopes', async () => {
    const command = findOrThrow(blocksOf('sh'), (block) => block.includes('SignJWT'));
    const env = { PATH: process.env.PATH ?? '', JWT_SECRET: LONG_SECRET };
    const { stdout } = await promisify(execFile)('sh', ['-c', command], { env, cwd: join(__dirname, '../../..') });
    const environment = { REGISTRY_TOKEN: OTHER_TOKEN, JWT_SECRET: LONG_SECRET };
    await withPadron({ environment }, async (padron) => {
      const { data, errors } = await padron.ask(query, {}, { authorization: `Bearer ${stdout.trim()}` });
      expect(errors).toBeUndefined();
      expect(data.person).toEqual({
        credit: { outcome: 'FOUND' },
        identity: { outcome: 'FOUND' },
        housingAccount: { outcome: 'NOT_PERMITTED' },
      });
    });
  });
});

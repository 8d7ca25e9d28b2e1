import { OTHER_TOKEN, SANDBOX_TOKEN } from '../../../src/sandbox/accounts/accounts';
import { employers } from '../../../src/sandbox/data/employers';
import { base64Input, credentialOf, verifyMutation } from '../../support/keys/signatures';
import { makeTlsFiles } from '../../support/keys/tls-files';
import { claudia, uriel } from '../../support/operations/mixed-people';
import { post } from '../../support/padrons/padron';
import { newReplayKey, withSharing } from '../instances/shared-store';

const patience = 60_000;

/** Everything about a person and an employer that padron can ask, by fields that hold something. */
const aboutPerson = `query ($nss: NSS, $curp: CURP) { person(nss: $nss, curp: $curp) {
  credit { outcome record { names rfc } } housingAccount { outcome } identity { outcome record { curp names } }
  licences { outcome records { number } } professionalStatus { outcome } } }`;
const aboutEmployer = `query ($registration: EmployerRegistration!) { employer(registration: $registration) {
  snapshots { outcome records { name } } obligatedSubject { outcome record { id } } receipts(period: "2026-01") { outcome records { folio } } } }`;

/** Each value as it is, and as it would look encoded. */
const written = (values: readonly string[]): readonly string[] => {
  const encodings = values.flatMap((value) => [
    value,
    encodeURIComponent(value),
    Buffer.from(value).toString('base64').replace(/=+$/, ''),
    Buffer.from(value).toString('hex'),
  ]);
  return [...new Set(encodings)];
};

/** The rest is which instances were alive, by random names, and what the start tries its rights on. */
const isOfAccount = (key: string): boolean => !/{instances}|{check}/.test(key);

describe('a store between instances', () => {
  it(
    'shows nobody, nothing that was asked and no secret, neither on its way nor in what it holds',
    async () => {
      const key = newReplayKey();
      await withSharing({ count: 2, settings: { REPLAY_KEY: key } }, async ({ redis, url, sandbox }) => {
        const captured = await redis.capture();
        const [employer] = employers;
        for (const authorization of [`Bearer ${SANDBOX_TOKEN}`, `Bearer ${OTHER_TOKEN}`]) {
          for (const { nss, curp } of [uriel, claudia]) {
            const answers = await Promise.all(
              [0, 1].map(() => post(url, { query: aboutPerson, variables: { nss, curp } }, { authorization })),
            );
            for (const { data } of answers) expect(data.person.credit.outcome).toBe('FOUND');
          }
          const variables = { registration: employer?.registration };
          const { data } = await post(url, { query: aboutEmployer, variables }, { authorization });
          expect(data.employer.snapshots.outcome).toBe('FOUND');
        }
        const submission = credentialOf('person');
        const signature = { query: verifyMutation, variables: { input: base64Input(submission) } };
        await post(url, signature);
        const texts = [await captured.stop(), await redis.dump()];
        const people = [uriel, claudia].flatMap(({ nss, curp, rfc, names, paternalSurname, birthDate }) => [
          nss,
          curp,
          rfc,
          names,
          paternalSurname,
          birthDate,
        ]);
        const asked = [...new Set(sandbox.calls.flatMap(({ endpoint }) => endpoint.split(' ').slice(1)))];
        const answered = ['codigoValidacion', 'estatus_credito', 'nombre', 'message'];
        const secrets = [
          SANDBOX_TOKEN,
          OTHER_TOKEN,
          key,
          submission.rfc,
          submission.password,
          employer?.registration ?? '',
        ];
        const secretTexts = [...new Set(written([...people, ...asked, ...answered, ...secrets]))];
        const shownIn = (texts: readonly string[]) =>
          secretTexts.filter((value) => texts.some((text) => text.includes(value)));
        expect(shownIn(texts)).toEqual([]);
        // What is held, and that it was looked at.
        expect(texts[0]).toContain('padron:1:');
        expect(await redis.keys()).not.toEqual([]);
        expect(asked.length).toBeGreaterThan(6);
        await redis.command('SET', 'anything', `about ${uriel.curp}`);
        expect(shownIn([await redis.dump()])).toEqual([uriel.curp]);
      });
    },
    patience,
  );

  it(
    'holds nothing beyond the window, and nothing for ever',
    async () => {
      await withSharing({ count: 2, settings: { REPLAY_SECONDS: '2' } }, async ({ redis, url, stop }) => {
        await post(url, { query: aboutPerson, variables: { nss: uriel.nss } });
        const keys = await redis.keys();
        expect(keys.length).toBeGreaterThan(0);
        for (const key of keys) expect(Number(await redis.command('PTTL', key))).toBeGreaterThan(0);
        await stop();
        await new Promise((resolve) => setTimeout(resolve, 12_000));
        expect((await redis.keys()).filter(isOfAccount)).toEqual([]);
      });
    },
    patience,
  );

  it(
    'never sees a signature: each is verified anew',
    async () => {
      const tls = await makeTlsFiles();
      const settings = { NODE_EXTRA_CA_CERTS: tls.authority };
      await withSharing({ count: 2, settings, redis: { tls } }, async ({ urlOf, calls, redis }) => {
        const body = { query: verifyMutation, variables: { input: base64Input(credentialOf('person')) } };
        for (const index of [0, 1]) {
          const { data } = await post(urlOf(index), body);
          expect(data.verifySignature.outcome).not.toBe('NOT_RUN');
        }
        expect(calls()).toBe(2);
        expect((await redis.keys()).filter(isOfAccount)).toEqual([]);
      });
    },
    patience,
  );
});

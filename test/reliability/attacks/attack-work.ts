import { randomBytes } from 'node:crypto';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { integer, objectIdentifier, octets, sequence } from '../../support/keys/der';
import { encryptAsTaxAuthority } from '../../support/keys/encrypted-key';
import { base64Input, credentialOf } from '../../support/keys/signatures';
import { type MeasuredPadron, measureCost } from '../load/measured-padron';
import { asked, type Probe, repeated } from './probe';

/** Makes combining marks, which Unicode normalization sorts in quadratic time. */
const marks = (count: number): string => `a${'\u0301'.repeat(count)}${'\u0323'.repeat(count)}`;
/** Almost as many blanks as a request may have. */
const blanks = ' '.repeat(800_000);
const anonymous = { authorization: '' };
const verify = (name: string): string => `${name}: verifySignature(input: $input) { outcome }`;
const verifying = (...fields: readonly string[]): string =>
  `mutation ($input: SignatureInput!) { ${fields.join(' ')} }`;

const credential = credentialOf('person');
const stretched = (): Buffer => encryptAsTaxAuthority(Buffer.alloc(1_200), 'nobody-knows', 10_000);

/** Makes a key whose public part takes minutes to compute. Its file states the size. */
function giantDsaKey(): Buffer {
  const number = (): Buffer => {
    const bytes = randomBytes(12_000);
    bytes[0] = 0x40;
    bytes[bytes.length - 1] = 0x01;
    return bytes;
  };
  const raw = (bytes: Buffer): Buffer =>
    Buffer.concat([Buffer.from([2, 0x82, bytes.length >> 8, bytes.length & 255]), bytes]);
  const algorithm = sequence(objectIdentifier('2a8648ce380401'), sequence(raw(number()), raw(number()), raw(number())));
  return encryptAsTaxAuthority(sequence(integer(0), algorithm, octets(raw(number()))), '12345678a');
}

const probe = (name: string, send: Probe['send'], code: string | null = null, status?: number): Probe => ({
  name,
  code,
  send,
  ...(status === undefined ? {} : { status }),
});

const manyFields = (count: number, root: string, field: string): string =>
  `query ($text: String!) { ${root} { ${repeated(count, (index) => `a${index}: ${field} { outcome }`)} } }`;
const manyLicences = manyFields(1_800, 'person(name: { names: $text, paternalSurname: "B" })', 'licences');
const manyReceipts = manyFields(
  600,
  'employer(registration: "A1234567890")',
  'receiptFiles(period: "2025-01", folio: $text)',
);

/** Small requests that need much work, most of them without a token. */
export const workAttacks: readonly Probe[] = [
  probe(
    'six hundred signatures without a token',
    asked(
      verifying(repeated(600, (index) => verify(`a${index}`))),
      { input: base64Input({ ...credential, privateKey: stretched() }) },
      anonymous,
    ),
    'OPERATION_TOO_LARGE',
  ),
  probe(
    'a signature without a token',
    asked(verifying(verify('a')), { input: base64Input({ ...credential, privateKey: stretched() }) }, anonymous),
    'UNAUTHENTICATED',
    200,
  ),
  probe(
    'two keys with the maximum number of iterations, each tried with every encoding of the password',
    asked(verifying(verify('a'), verify('b')), {
      input: base64Input({ ...credential, privateKey: stretched(), password: 'contrase\u00f1an\u0303a' }),
    }),
  ),
  probe(
    'a DSA key of the maximum size',
    asked(verifying(verify('a')), {
      input: base64Input({ ...credential, privateKey: giantDsaKey(), password: '12345678a' }),
    }),
  ),
  probe(
    'a password of combining marks',
    asked(verifying(verify('a')), { input: base64Input({ ...credential, password: marks(100_000) }) }),
  ),
  probe(
    'an identifier of combining marks',
    asked('query ($curp: CURP!) { person(curp: $curp) { identity { outcome } } }', { curp: marks(200_000) }, anonymous),
  ),
  ...[
    ['a name of combining marks, for many fields', manyLicences, marks(200_000)] as const,
    ['a name of blanks, for many fields', manyLicences, blanks] as const,
    ['a folio of blanks, for many fields', manyReceipts, blanks] as const,
  ].map(([name, query, text]) => probe(name, asked(query, { text }, anonymous))),
];

/** Measures the processor time of each probe in seconds. A first request warms up the process. */
export async function measureWork(
  padron: MeasuredPadron,
  probes = workAttacks,
): Promise<readonly { readonly probe: Probe; readonly seconds: number }[]> {
  const measured = [];
  await asked('{ __typename }', {}, { authorization: `Bearer ${SANDBOX_TOKEN}` })(padron.url);
  for (const probe of probes) {
    const { cpuMs } = await measureCost(padron, probe.send);
    measured.push({ probe, seconds: cpuMs / 1_000 });
  }
  return measured;
}

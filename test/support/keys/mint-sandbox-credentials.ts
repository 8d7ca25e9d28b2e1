/**
 * Writes src/sandbox/efirma/credential-files.ts: `npx tsx test/support/keys/mint-sandbox-credentials.ts`. Run it again only if that file
 * must change, because every run makes a new authority, whose private key is not stored.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CertificateRequest, mintAuthority } from './authority';

const FILE = join(__dirname, '../../../src/sandbox/efirma/credential-files.ts');
const TWENTY_YEARS = { validFrom: new Date('2026-01-01T00:00:00Z'), validUntil: new Date('2046-01-01T00:00:00Z') };

const COMPANY = {
  rfc: 'TBA100503H29',
  curp: 'RAGJ720918HBCMRL00',
  name: 'TALLERES DEL BAJIO ALTO SA DE CV',
  representative: { rfc: 'RAGJ720918K5A' },
};

const REQUESTS: Readonly<Record<string, CertificateRequest>> = {
  person: { rfc: 'SOVM850314T49', curp: 'SOVM850314MJCLGR01', name: 'MARIANA SOLIS VEGA' },
  company: COMPANY,
  revoked: { rfc: 'MECA880205Q19', curp: 'MECA880205MNLNST07', name: 'AITANA MENDEZ CASTRO' },
  expired: {
    rfc: 'OEÑL790621B70',
    curp: 'OEXL790621HPLRXS06',
    name: 'LUIS ORTEGA ÑAÑEZ',
    validFrom: new Date('2019-06-14T00:00:00Z'),
    validUntil: new Date('2023-06-13T00:00:00Z'),
  },
  seal: { ...COMPANY, kind: 'seal' },
};

async function mint(): Promise<void> {
  const authority = await mintAuthority({ ...TWENTY_YEARS, commonName: 'AC SANDBOX' });
  const constants = [formatConstant('authority', [['certificate', authority.certificate]])];
  for (const [name, request] of Object.entries(REQUESTS)) {
    const issued = await authority.issue({ ...TWENTY_YEARS, password: 'Padron2026', ...request, ownKey: true });
    const { rfc, password, serial, certificate, privateKey } = issued;
    constants.push(formatConstant(name, Object.entries({ rfc, password, serial, certificate, privateKey })));
  }
  const why =
    '// Public test material, good for nothing but the sandbox. Written by test/support/keys/mint-sandbox-credentials.ts.';
  writeFileSync(FILE, `${why}\n\n${constants.join('\n')}`);
}

function formatConstant(name: string, values: readonly (readonly [string, string | Buffer])[]): string {
  const lines = values.map(([key, value]) => `  ${key}: ${typeof value === 'string' ? `'${value}'` : base64(value)},`);
  return `export const ${name} = {\n${lines.join('\n')}\n} as const;\n`;
}

function base64(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,112}/g) ?? [];
  return `\`\n${lines.map((line) => `    ${line}`).join('\n')}\``;
}

void mint();

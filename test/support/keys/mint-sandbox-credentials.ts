/**
 * Writes src/sandbox/efirma/credentials/: `npx tsx test/support/keys/mint-sandbox-credentials.ts`. To be run again only when those files
 * must change, since every run makes a new authority, whose private key is kept nowhere.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CertificateRequest, mintAuthority } from './authority';

const FOLDER = join(__dirname, '../../../src/sandbox/efirma/credentials');
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
  mkdirSync(FOLDER, { recursive: true });
  const authority = await mintAuthority({ ...TWENTY_YEARS, commonName: 'AC SANDBOX' });
  write('authority', [['certificate', authority.certificate]]);
  for (const [name, request] of Object.entries(REQUESTS)) {
    const issued = await authority.issue({ ...TWENTY_YEARS, password: 'Padron2026', ...request, ownKey: true });
    write(name, [
      ['rfc', issued.rfc],
      ['password', issued.password],
      ['serial', issued.serial],
      ['certificate', issued.certificate],
      ['privateKey', issued.privateKey],
    ]);
  }
}

function write(name: string, values: readonly (readonly [string, string | Buffer])[]): void {
  const lines = values.map(([key, value]) => `  ${key}: ${typeof value === 'string' ? `'${value}'` : base64(value)},`);
  const why =
    '/** Public test material, good for nothing but the sandbox. Written by test/support/keys/mint-sandbox-credentials.ts. */';
  const text = `${why}\nexport const ${name} = {\n${lines.join('\n')}\n} as const;\n`;
  writeFileSync(join(FOLDER, `${name}.ts`), text);
}

function base64(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,112}/g) ?? [];
  return `\`\n${lines.map((line) => `    ${line}`).join('\n')}\``;
}

void mint();

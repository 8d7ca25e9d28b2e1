/**
 * Writes src/extensions/sandbox/efirma/credential-files.json: `npx tsx test/support/keys/mint-sandbox-credentials.ts`. Run it again only if that file
 * must change, because every run makes a new authority, whose private key is not stored.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CertificateRequest, mintAuthority } from './authority';

const FILE = join(__dirname, '../../../src/extensions/sandbox/efirma/credential-files.json');
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
  const files: Record<string, object> = { authority: { certificate: authority.certificate.toString('base64') } };
  for (const [name, request] of Object.entries(REQUESTS)) {
    const issued = await authority.issue({ ...TWENTY_YEARS, password: 'Padron2026', ...request, ownKey: true });
    const { rfc, password, serial, certificate, privateKey } = issued;
    const encoded = { certificate: certificate.toString('base64'), privateKey: privateKey.toString('base64') };
    files[name] = { rfc, password, serial, ...encoded };
  }
  writeFileSync(FILE, `${JSON.stringify(files, null, 2)}\n`);
}

void mint();

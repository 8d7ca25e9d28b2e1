import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SANDBOX_TOKEN } from './accounts/accounts';
import { people, type SandboxPerson } from './data/people';
import { sandboxCredentials } from './efirma/credentials';
import { type Sandbox, startSandbox } from './service';

const DEFAULT_PORT = '4010';
const { PORT = DEFAULT_PORT, HOST = '127.0.0.1', SANDBOX_AUTHORITIES = '' } = process.env;

function greeting({ url }: Sandbox, person: SandboxPerson | undefined): string {
  return [
    `Sandbox registry listening on ${url}`,
    `Token: ${SANDBOX_TOKEN}`,
    '',
    `curl -X POST '${url}/api/infonavit/grupo/buscar-credito?nss=${person?.nss ?? ''}' \\`,
    `  -H 'Authorization: Bearer ${SANDBOX_TOKEN}'`,
    '',
    `To start padron with this sandbox: REGISTRY_URL=${url} npm start`,
    '',
  ].join('\n');
}

/** Writes a valid e.firma of the sandbox's authority, so that users can try the signature check with real files. */
function writeCredential(folder: string): void {
  const credential = sandboxCredentials.find(({ name }) => name === 'person');
  if (credential === undefined) throw new Error('The sandbox has no credential.');
  const { rfc, password, certificate, privateKey } = credential;
  writeFileSync(join(folder, 'certificate.cer'), certificate);
  writeFileSync(join(folder, 'private_key.key'), privateKey);
  process.stdout.write(
    `Wrote certificate.cer and private_key.key of ${rfc} to ${folder}. The password is ${password}.\n`,
  );
}

const usage = `npm run sandbox                           runs the sandbox registry on its own
npm run sandbox -- --credential FOLDER    writes a valid e.firma (certificate.cer, private_key.key) into FOLDER
Environment: PORT (${DEFAULT_PORT}), HOST (127.0.0.1), SANDBOX_AUTHORITIES (files, separated by commas).
`;

async function main(): Promise<void> {
  const [option, folder] = process.argv.slice(2);
  if (option === '--credential' && folder !== undefined) return writeCredential(folder);
  if (option === '--help' || option === '-h') return void process.stdout.write(usage);
  if (option !== undefined) throw new Error(`Unknown option ${option}.\n${usage}`);
  const port = Number(PORT);
  if (!/^\d+$/.test(PORT) || port > 65_535) throw new Error(`PORT must be a number from 0 to 65535, not ${PORT}.`);
  const authorities = SANDBOX_AUTHORITIES.split(',')
    .map((file) => file.trim())
    .filter(Boolean);
  const sandbox = await startSandbox({ host: HOST, port, authorities });
  process.stdout.write(
    greeting(
      sandbox,
      people.find(({ credit }) => credit),
    ),
  );
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void sandbox.close());
}

main().catch((error: NodeJS.ErrnoException) => {
  const inUse = `Port ${PORT} of ${HOST} is in use. Stop the program that uses it, or set PORT to another port.`;
  process.stderr.write(`${error.code === 'EADDRINUSE' ? inUse : error.message}\n`);
  process.exitCode = 1;
});

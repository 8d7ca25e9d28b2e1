import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { parse } from 'yaml';
import { people, type SandboxPerson } from '../../src/extensions/sandbox/data/people';
import { uncleanPeople } from '../../src/extensions/sandbox/data/unclean-people';
import { type Sandbox, startSandbox } from '../../src/extensions/sandbox/service';
import { inBrowser } from '../extensions/explorer/explorer';
import { isTokenCheck, post } from '../support/padrons/padron';
import { freePort } from '../support/processes/free-port';
import { waitUntil } from '../support/proxies/deferred';
import { holdResponses } from '../support/proxies/held-responses';
import { startProxy, type TamperingProxy } from '../support/proxies/tampering-proxy';
import { InstalledExample } from './example-folder';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
/** People with a record in each registry. Their answers are shared for a while, so each test has others. */
const [uriel, delayed, nssOwner, curpOwner, shownPerson, keyboardPerson, agreeing] = people.filter(
  ({ credit, account, licences, alive }) => credit !== null && account !== null && licences.length > 0 && alive,
) as [SandboxPerson, SandboxPerson, SandboxPerson, SandboxPerson, SandboxPerson, SandboxPerson, SandboxPerson];
const otherSpelling = uncleanPeople.otherSpelling.person;
const replacedCurp = uncleanPeople.replacedCurp.person;
const housingFund = ['POST /api/infonavit/grupo/buscar-credito', 'POST /api/infonavit/grupo/obtener-cuenta'];
const allEndpoints = [...housingFund, 'POST /api/renapo/grupo/valida-curp', 'POST /api/sep/grupo/obtener-cedula'];
const phone = { width: 390, height: 844 };
const desk = { width: 1280, height: 900 };
/** npm installs about 500 packages. */
const patience = 400_000;

inBrowser('examples/onboarding, followed by its README', () => {
  let example: InstalledExample;
  let browser: Browser;
  let startPadron: string;
  beforeAll(async () => {
    example = new InstalledExample('onboarding');
    await example.install(example.step(/^npm i$/).command, ['.', 'schema/client']);
    startPadron = example.step('npx padron start').command;
    browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
  }, patience);
  afterAll(async () => {
    await browser?.close();
    await example?.stop();
  });

  async function open(url: string, viewport = desk): Promise<Page> {
    const page = await browser.newPage({ viewport });
    page.setDefaultTimeout(60_000);
    await page.goto(url);
    await page.getByRole('heading', { name: 'Qué se va a consultar' }).waitFor();
    return page;
  }

  it('has a README of at most 80 lines, and the settings of padron-client with trusted documents', () => {
    expect(example.readme.trimEnd().split('\n').length).toBeLessThanOrEqual(80);
    const read = (file: string) => parse(readFileSync(join(example.path, file), 'utf8'));
    const settings = read('codegen.yml');
    const kit = read('node_modules/padron-client/schema/codegen.yml');
    expect(settings.documents).toEqual([kit.documents, 'node_modules/padron-client/schema/price-of.graphql']);
    const generated = 'src/generated/';
    const presetConfig = { ...kit.generates[generated].presetConfig, persistedDocuments: true };
    const generates = { [generated]: { ...kit.generates[generated], presetConfig } };
    expect(settings).toEqual({ ...kit, documents: settings.documents, generates });
  });

  it('starts with the three commands, and shows what the README says', async () => {
    const [port, pagePort] = [await freePort(), await freePort()];
    const url = `http://127.0.0.1:${port}/graphql`;
    await example.start(startPadron, { PORT: String(port) }, 'token: ');
    const dev = `${example.step('npm run dev').command} -- --host 127.0.0.1 --port ${pagePort} --strictPort`;
    await example.start(dev, { VITE_PADRON_URL: url }, 'Local:');

    const page = await open(`http://127.0.0.1:${pagePort}`);
    await page.getByLabel('NSS').fill(uriel.nss);
    await page.getByText('$14.00 MXN').waitFor();
    await check(page);
    await registry(page, 'RENAPO').getByText('Encontrado').waitFor();
    expect(await page.getByRole('button', { name: 'Volver a consultar' }).count()).toBe(0);
    await page.getByText('Compare estos datos con la identificación').waitFor();
    expect(await statuses(page)).toEqual(['Encontrado', 'Encontrado', 'Encontrado', 'Encontrado']);
    expect(await page.getByText('Gastado').textContent()).toBe('Gastado: 4 unidades');

    const { errors } = await post(url, { query: `{ person(nss: "${uriel.nss}") { credit { outcome } } }` });
    expect(errors?.[0].extensions.code).toBe('OPERATION_NOT_TRUSTED');
  });

  describe('built, over a sandbox that counts its calls', () => {
    let sandbox: Sandbox;
    let proxy: TamperingProxy;
    let graph: string;
    let address: string;
    beforeAll(async () => {
      sandbox = await startSandbox();
      proxy = await startProxy(sandbox.url);
      const [port, pagePort] = [await freePort(), await freePort()];
      graph = `http://127.0.0.1:${port}/graphql`;
      address = `http://127.0.0.1:${pagePort}`;
      await example.run('npm run build', { VITE_PADRON_URL: graph, VITE_PADRON_TOKEN: 'sandbox-token' });
      const settings = { PORT: String(port), REGISTRY_URL: proxy.url, CORS_ORIGINS: address, REPLAY_SECONDS: '0' };
      await example.start(startPadron, settings, '/graphql');
      const preview = `npm run preview -- --host 127.0.0.1 --port ${pagePort} --strictPort`;
      await example.start(preview, {}, 'Local:');
    }, patience);
    beforeEach(() => {
      sandbox.clearCalls();
      proxy.reset();
    });
    afterAll(async () => {
      await proxy?.close();
      await sandbox?.close();
    });

    /** Endpoints that were called, without the free checks of a token. */
    const calls = (): readonly string[] =>
      sandbox.calls
        .filter((call) => !isTokenCheck(call))
        .map(({ endpoint }) => endpoint)
        .sort();

    it('shows the price of each registry before the click, and calls none', async () => {
      const page = await open(address);
      expect(await checkButton(page).isDisabled()).toBe(true);
      await page.getByLabel('CURP').fill(delayed.curp);
      await page.getByText('$7.00 MXN').waitFor();
      expect(await prices(page)).toEqual(['1 unidad', 'No se consulta', 'No se consulta', '1 unidad']);
      await page.getByLabel('NSS').fill(delayed.nss);
      await page.getByText('$14.00 MXN').waitFor();
      expect(await prices(page)).toEqual(['1 unidad', '1 unidad', '1 unidad', '1 unidad']);
      expect(await checkButton(page).isEnabled()).toBe(true);
      expect(calls()).toEqual([]);
    });

    it('shows fast registries before a slow one, and pays for each once', async () => {
      const held = holdResponses(proxy, 'obtener-cuenta');
      const page = await open(address);
      await page.getByLabel('NSS').fill(delayed.nss);
      await check(page);
      await registry(page, 'RENAPO').getByText('Encontrado').waitFor();
      await registry(page, 'Cédulas').getByText('Encontrado').waitFor();
      expect(await statuses(page)).toEqual(['Encontrado', 'Encontrado', 'En curso', 'Encontrado']);
      await page.getByText('Consultando los registros').waitFor();
      const name = `${delayed.names} ${delayed.paternalSurname}`;
      expect(await registry(page, 'RENAPO').getByText(name).isVisible()).toBe(true);
      held.release();
      await registry(page, 'Subcuenta').getByText('Encontrado').waitFor();
      await page.getByText('Compare estos datos con la identificación').waitFor();
      expect(await page.getByText('Gastado').textContent()).toBe('Gastado: 4 unidades');
      expect(calls()).toEqual(allEndpoints);
    });

    it('says that something agrees only if the client gave two things, and always asks for a document', async () => {
      const page = await open(address);
      await page.getByLabel('NSS').fill(agreeing.nss);
      await check(page);
      const verdict = page.locator('.verdict');
      await verdict.filter({ hasText: 'Compare estos datos con la identificación' }).waitFor();
      expect(await verdict.getAttribute('class')).toBe('verdict plain');
      expect(await page.getByRole('main').textContent()).not.toContain('coinciden');
      await page.getByRole('button', { name: 'Nueva consulta' }).click();
      await page.getByLabel('NSS').fill(agreeing.nss);
      await page.getByLabel('CURP').fill(agreeing.curp);
      await check(page);
      await verdict.filter({ hasText: 'El NSS y la CURP coinciden' }).waitFor();
      expect(await verdict.getAttribute('class')).toBe('verdict good');
      expect(await verdict.textContent()).toContain('la identificación de su cliente');
    });

    it('shows no record if NSS and CURP belong to two people', async () => {
      const page = await open(address);
      await page.getByLabel('NSS').fill(nssOwner.nss);
      await page.getByLabel('CURP').fill(curpOwner.curp);
      await check(page);
      await page.getByText('Los datos se contradicen').waitFor();
      expect(await statuses(page)).not.toContain('Encontrado');
      const shown = await page.getByRole('main').textContent();
      for (const { paternalSurname } of [nssOwner, curpOwner]) expect(shown).not.toContain(paternalSurname);
      expect(calls()).toEqual(allEndpoints);
    });

    it.each([
      [
        'a licence with its own name, if its CURP is the same',
        otherSpelling,
        'ARMANDO DE JESÚS VILLALOBOS CERVANTES',
        [],
      ],
      [
        'the current CURP, if the one that was typed was replaced',
        { ...replacedCurp, curp: replacedCurp.replacedCurp },
        replacedCurp.curp,
        ['Esta CURP fue sustituida por otra. Use la vigente.'],
      ],
    ])('shows %s, as the README says', async (_, { nss, curp = '' }, shown, remarks) => {
      expect(example.readme).toContain(`| NSS \`${nss}\` and CURP \`${curp}\` |`);
      const page = await open(address);
      await page.getByLabel('NSS').fill(nss);
      await page.getByLabel('CURP').fill(curp);
      await check(page);
      await page.getByText('El NSS y la CURP coinciden').waitFor();
      expect(await statuses(page)).toEqual(['Encontrado', 'Encontrado', 'Encontrado', 'Encontrado']);
      expect(await page.getByText(shown).count()).toBe(1);
      expect(await page.locator('.explanation').allTextContents()).toEqual(remarks);
      expect(calls()).toEqual(allEndpoints);
    });

    it('says in Spanish that an NSS is mistyped, and calls no registry', async () => {
      const page = await open(address);
      await page.getByLabel('NSS').fill('04159600264');
      await page.getByText('Parece que un carácter está mal escrito. Revíselo.').waitFor();
      await page.getByLabel('NSS').press('Enter');
      expect(await checkButton(page).isDisabled()).toBe(true);
      expect(await page.getByText('0 unidades', { exact: true }).isVisible()).toBe(true);
      expect(calls()).toEqual([]);
    });

    it('explains in Spanish why a registry did not answer, and asks again after a click only', async () => {
      const page = await open(address);
      await page.getByLabel('NSS').fill('70078871350');
      await check(page);
      await registry(page, 'Crédito').getByText('El registro no puede responder por ahora.').waitFor();
      await page.getByText('No hay datos suficientes').waitFor();
      expect(calls()).toEqual(housingFund);
      sandbox.clearCalls();
      await page.getByRole('button', { name: 'Volver a consultar' }).click();
      await waitUntil(() => calls().length === housingFund.length);
    });

    it('can be used with the keyboard for the next person, and an edit ends the result', async () => {
      const page = await open(address);
      await page.getByLabel('NSS').fill(keyboardPerson.nss);
      await page.getByText('$14.00 MXN').waitFor();
      await page.getByLabel('NSS').press('Enter');
      await page.getByText('Compare estos datos con la identificación').waitFor();
      await page.getByRole('button', { name: 'Nueva consulta' }).press('Enter');
      await page.keyboard.type(keyboardPerson.nss);
      expect(await page.getByLabel('NSS').inputValue()).toBe(keyboardPerson.nss);
      // The page has the answers, so it asks no registry again.
      await page.getByText('$14.00 MXN').waitFor();
      await page.getByLabel('NSS').press('Enter');
      await page.getByText('Compare estos datos con la identificación').waitFor();
      // The result takes the focus when it appears.
      await page.locator('h2:focus').waitFor();
      await page.getByLabel('NSS').press('End');
      await page.getByLabel('NSS').press('Backspace');
      await page.getByRole('heading', { name: 'Qué se va a consultar' }).waitFor();
      expect(await page.getByText('Compare estos datos').count()).toBe(0);
      expect(calls()).toEqual(allEndpoints);
    });

    it('cannot be used to run another operation', async () => {
      const query = `{ person(nss: "${uriel.nss}") { credit { outcome } } }`;
      const { data, errors } = await post(graph, { query });
      expect([data, errors?.[0].extensions.code]).toEqual([undefined, 'OPERATION_NOT_TRUSTED']);
      expect(calls()).toEqual([]);
    });

    it.each([
      ['a phone', phone],
      ['a desk', desk],
    ])('fits on %s, and axe finds nothing', async (_, viewport) => {
      const page = await open(address, viewport);
      expect(await barriers(page)).toEqual([]);
      await page.getByLabel('NSS').fill(shownPerson.nss);
      await check(page);
      await page.getByText('Compare estos datos con la identificación').waitFor();
      expect(await barriers(page)).toEqual([]);
      await page.getByRole('button', { name: 'Nueva consulta' }).click();
      await page.getByLabel('NSS').fill(shownPerson.nss);
      await page.getByLabel('CURP').fill(uriel.curp);
      await check(page);
      await page.getByText('Los datos se contradicen').waitFor();
      expect(await barriers(page)).toEqual([]);
    });
  });
});

const checkButton = (page: Page): Locator => page.getByRole('button', { name: 'Consultar', exact: true });
const registry = (page: Page, name: string): Locator => page.getByRole('article', { name });
const statuses = (page: Page): Promise<string[]> => page.locator('.status').allTextContents();
const prices = (page: Page): Promise<string[]> => page.locator('.units').allTextContents();

/** Clicks when the price is known. */
async function check(page: Page): Promise<void> {
  await checkButton(page).click();
}

/** Returns what axe finds, and how far the page is wider than the screen. */
async function barriers(page: Page): Promise<readonly string[]> {
  await page.evaluate(`globalThis.axe === undefined && (() => { ${axe} })()`);
  const { violations } = await page.evaluate<AxeResults>('axe.run(document)');
  const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  const overflow: number = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  return overflow > 0 ? [...found, `${overflow} px too wide`] : found;
}

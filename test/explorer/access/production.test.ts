import { SANDBOX_TOKEN } from '../../../src/sandbox/accounts/accounts';
import { people } from '../../../src/sandbox/data/people';
import { type Sandbox, startSandbox } from '../../../src/sandbox/service';
import { signedBySecret } from '../../support/keys/identity-provider';
import { type ExplorerRun, fill, inBrowser, openTab, readBrowserStorage, run, runExplorer } from '../explorer';

// A browser is slow to start where others keep the machine busy.
jest.setTimeout(90_000);

const SECRET = 'a-secret-shared-with-the-identity-provider';

inBrowser('the explorer in production, with JWTs', () => {
  let sandbox: Sandbox;
  let explorer: ExplorerRun;
  beforeAll(async () => {
    sandbox = await startSandbox();
    explorer = await runExplorer({
      NODE_ENV: 'production',
      EXPLORER: 'on',
      REGISTRY_URL: sandbox.url,
      REGISTRY_TOKEN: SANDBOX_TOKEN,
      JWT_SECRET: SECRET,
    });
  }, 90_000);
  afterAll(async () => {
    await explorer.stop();
    await sandbox.close();
  });

  it('loads the schema when a token is entered, and keeps the token until the tab is closed', async () => {
    const { page } = await explorer.open();
    await page.getByText(/^Enter your token: open Headers/).waitFor();
    const token = await signedBySecret(SECRET, { scope: 'use_buscar_credito' });
    await openTab(page, 'PersonCredit');
    await fill(page, 'Headers', JSON.stringify({ authorization: `Bearer ${token}`, 'x-secret': 'another-header' }));
    await page.getByText(/^Your token is kept until you close this browser tab/).waitFor();
    await page.getByText(/^Enter your token/).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Price: 1 unit at most' }).waitFor();
    expect((await run(page)).data.person.credit.outcome).toBe('FOUND');

    await page.reload();
    await page.locator('.graphiql-query-editor .view-line').first().waitFor();
    await openTab(page, 'PersonCredit');
    await page.getByRole('button', { name: 'Price: 1 unit at most' }).waitFor();
    expect((await run(page)).data.person.credit.outcome).toBe('FOUND');
    const stored = await readBrowserStorage(page);
    expect(stored).toContain(token);
    expect(stored).not.toMatch(/another-header/);
    expect(stored).not.toContain(people[0]?.nss);
    expect(await page.evaluate('JSON.stringify({ ...localStorage })')).not.toContain(token);
  });

  it('fills the token into the tabs that are opened later, and forgets it on request', async () => {
    const { page } = await explorer.open();
    const token = await signedBySecret(SECRET, { scope: 'use_buscar_credito' });
    await fill(page, 'Headers', JSON.stringify({ authorization: `Bearer ${token}` }));
    await page.getByText(/^Your token is kept until you close this browser tab/).waitFor();
    await openTab(page, 'PersonCredit');
    await page.getByRole('button', { name: 'Price: 1 unit at most' }).waitFor();
    expect((await run(page)).data.person.credit.outcome).toBe('FOUND');
    await openTab(page, 'LicenceCheck');
    await page.getByRole('button', { name: 'Forget the token' }).click();
    await page.getByText(/^Enter your token/).waitFor();
    expect(await readBrowserStorage(page)).not.toContain(token);
  });

  it('loads no schema for a token that is not valid', async () => {
    const { page } = await explorer.open();
    await fill(page, 'Headers', '{ "authorization": "Bearer nonsense" }');
    await page.getByText(/^Enter your token/).waitFor();
    await page.waitForTimeout(1_500);
    expect(await page.getByText(/^Enter your token/).count()).toBe(1);
    expect(await page.evaluate(`document.querySelectorAll('.graphiql-doc-explorer-root-type').length`)).toBe(0);
  });
});

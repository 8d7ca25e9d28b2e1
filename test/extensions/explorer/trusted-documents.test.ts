import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { signedBySecret } from '../../support/keys/identity-provider';
import { explorerForTests, fill, inBrowser } from './explorer';

const JWT_SECRET = 'a-secret-shared-with-the-identity-provider';
const TRUSTED_DOCUMENTS = mkdtempSync(join(tmpdir(), 'padron-explorer-'));
writeFileSync(join(TRUSTED_DOCUMENTS, 'prices.graphql'), '{ registryEndpoints { units } }');
afterAll(() => rmSync(TRUSTED_DOCUMENTS, { recursive: true }));

inBrowser('the explorer of a server with trusted documents', () => {
  const explorer = explorerForTests({ TRUSTED_DOCUMENTS, JWT_SECRET, REGISTRY_TOKEN: SANDBOX_TOKEN });

  it('shows why it cannot read the schema, and reads it with a token that has the scope padron_explore', async () => {
    const { page } = await explorer.open();
    await page.locator('.result-window:has-text("OPERATION_NOT_TRUSTED")').waitFor();
    const token = signedBySecret(JWT_SECRET, { scope: 'padron_explore', azp: 'developer' });
    await fill(page, 'Headers', JSON.stringify({ authorization: `Bearer ${token}` }));
    const introspection = page.waitForResponse(
      (response) => response.request().postData()?.includes('__schema') === true,
    );
    await page.getByRole('button', { name: /re-?fetch/i }).click();
    expect((await introspection).status()).toBe(200);
    await page.locator('.view-line:has-text("· 1 unit")').first().waitFor();
  });
});

import type { Page } from 'playwright-core';
import { SANDBOX_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { JWT_SECRET } from '../../../support/keys/identity-provider';
import { explorerForTests, fill, inBrowser, openTab, readDocument, readPrice, run, waitUntil } from '../explorer';

/** English words of padron's own texts, which a Spanish page must not have. Spanish has none of them. */
const englishWords =
  /(?<!\p{L})(?:the|and|of|with|has|have|your|this|which|rows?|workers|permissions|answers?|registry|calls?|spent|saved|attach|choose|person|revoked|seal|licen[cs]e|budget|click)(?!\.?\p{L})/giu;

const titles = ['Dinero', 'Lotes', 'Archivos', 'Glosario', 'Sandbox'];

async function openPanel(page: Page, title: string): Promise<string> {
  await page.getByRole('button', { name: `Show ${title}` }).click();
  await page.getByRole('heading', { name: title, exact: true }).waitFor();
  await waitUntil(page, `document.querySelector('.padron-panel').innerText.length > 80`);
  await page.getByText('…', { exact: true }).waitFor({ state: 'detached' });
  // Names of fields, endpoints and codes are English in every language.
  return page.evaluate<string>(`(() => {
    const panel = document.querySelector('.padron-panel').cloneNode(true);
    for (const code of panel.querySelectorAll('code, pre, .padron-path, [lang=en]')) code.remove();
    return [...panel.querySelectorAll('*')].map(({ firstChild }) => firstChild?.nodeValue ?? '').join(' ');
  })()`);
}

inBrowser('the language of the explorer', () => {
  const explorer = explorerForTests();

  it('is chosen by a button, kept in later visits, and followed by the messages of the server', async () => {
    const { page } = await explorer.open({ locale: 'en-US' });
    await readPrice(page);
    await page.getByRole('button', { name: 'Español' }).click();
    await page.getByText('Respuestas inventadas').waitFor();
    await waitUntil(page, `document.documentElement.lang === 'es'`);
    expect(await readDocument(page)).toMatch(/^# El perfil de una persona/);
    expect(await page.getByRole('tab').count()).toBe(11);

    await openTab(page, 'MistypedCurp');
    expect((await run(page)).data.person.identity.problems[0].message).toMatch(/^El dígito verificador/);
    await openTab(page, 'PersonCredit');
    await fill(page, 'Variables', '{ "nss": "13826372941" }');
    expect((await run(page)).data.person.credit.problems[0].message).toBe(
      'La respuesta no tiene la forma esperada: no es un objeto JSON.',
    );
    await page.reload();
    await page.getByText('Respuestas inventadas').waitFor();
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByText('Invented answers').waitFor();
    expect(await readDocument(page)).toMatch(/^# A person's profile/);
  });

  it('is Spanish if that is preferred, in every panel', async () => {
    const { page, pageErrors } = await explorer.open({ locale: 'es-MX' });
    await page.getByText('Respuestas inventadas').waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('es');
    await page.getByRole('button', { name: 'Cerrar PersonProfile' }).waitFor();
    const panels = await page
      .locator('.graphiql-sidebar button[data-index]')
      .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')));
    expect(panels).toEqual(['Documentación', 'Campos', ...titles].map((name) => `Show ${name}`));
    await page.getByRole('button', { name: 'Show Glosario' }).click();
    await page.getByRole('searchbox', { name: 'Buscar en el glosario' }).fill('cedula');
    await page.getByRole('button', { name: 'Query.professionalLicence' }).click();
    await page.getByText('Validate a professional licence by its number.').waitFor();
    await openTab(page, 'ReceiptFiles');
    expect(await readDocument(page)).toMatch(/^# Los archivos de un comprobante con sus bytes.*\nquery ReceiptFiles/);
    await page.getByRole('button', { name: 'Precio: 1 unidad como máximo' }).waitFor();
    await run(page);
    await page.getByRole('button', { name: '1 unidad gastada' }).click();
    await page.getByRole('heading', { name: 'Dinero' }).waitFor();
    expect(await page.getByRole('region', { name: 'Última ejecución' }).innerText()).toContain('consulta nueva');
    await page.getByRole('button', { name: /^2 documentos/ }).click();
    await page.getByRole('heading', { name: 'Archivos' }).waitFor();
    await page.getByRole('button', { name: 'Show Glosario' }).click();
    for (const title of titles) {
      const text = await openPanel(page, title);
      expect([title, text.match(englishWords)]).toEqual([title, null]);
    }
    expect(pageErrors).toEqual([]);
    await openTab(page, 'PersonProfile');
    await fill(page, 'Variables', '{ "nss": 4159600263 }');
    await page.getByRole('button', { name: 'Precio: No disponible. La variable $nss se rechaza' }).waitFor();
  });
});

inBrowser('the errors in a Spanish panel', () => {
  const explorer = explorerForTests({ REGISTRY_TOKEN: SANDBOX_TOKEN, JWT_SECRET });

  it('are Spanish, also those that the server has in English', async () => {
    const { page } = await explorer.open({ locale: 'es-MX' });
    for (const title of ['Dinero', 'Lotes']) {
      const text = await openPanel(page, title);
      expect(text).toContain('Falta el token o no es válido. Escríbalo con el botón Token de arriba');
      expect([title, text.match(englishWords)]).toEqual([title, null]);
    }
    for (const code of ['BAD_USER_INPUT', 'NOT_ACCEPTABLE', 'IDEMPOTENCY_RESULT_LOST', 'LEDGER_UNAVAILABLE']) {
      const errors = [{ message: 'The text of the server', extensions: { code } }];
      await page.route('**/graphql', (route) => route.fulfill({ json: { errors } }));
      await openPanel(page, 'Glosario');
      const text = await openPanel(page, 'Dinero');
      expect(text).toContain('No se puede leer el libro de consumo: ');
      expect([code, text.match(englishWords)]).toEqual([code, null]);
      await page.unroute('**/graphql');
    }
  });
});

import type { Page } from 'playwright-core';
import { isTokenCheck } from '../../../support/padrons/padron';
import { sandboxOf } from '../../../support/padrons/whole-padron';
import type { ExplorerRun } from '../explorer';

export const showBatches = (page: Page): Promise<void> => page.getByRole('button', { name: 'Show Batch' }).click();

/** Drops a file as a person would: by the events that a browser sends then. */
export async function drop(page: Page, name: string, text: string): Promise<void> {
  const transfer = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}, { type: 'text/csv' }));
    return transfer;
  })()`);
  await page.locator('.padron-drop').dispatchEvent('drop', { dataTransfer: transfer });
}

/** Returns the number of calls that the sandbox has received. */
export const countCalls = ({ padron }: ExplorerRun): number =>
  (sandboxOf(padron)?.calls ?? []).filter((call) => !isTokenCheck(call)).length;

export const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();
export const until = (page: Page, state: string): Promise<void> => page.getByText(state, { exact: true }).waitFor();

export async function untilCalls(explorer: ExplorerRun, page: Page, count: number): Promise<void> {
  for (let attempt = 0; countCalls(explorer) < count && attempt < 200; attempt += 1) await page.waitForTimeout(50);
  expect(countCalls(explorer)).toBe(count);
}

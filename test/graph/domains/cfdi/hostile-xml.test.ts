import { getReceiptFiles } from '../../../../src/extensions/sandbox/documents/receipt-files';
import { readCfdi } from '../../../../src/graph/domains/cfdi/read-cfdi';
import { findOrThrow } from '../../../support/find-or-throw';
import { monthWith, payer, receiptsIn } from '../../../support/operations/employer-graph';

const namespaces = (count: number): string =>
  Array.from({ length: count }, (_, index) => `xmlns:b${index}="u"`).join(' ');
const children = (count: number): string => '<a xmlns:z="u"/>'.repeat(count);

/** Processor time in milliseconds, the least of three, since other work on the machine can only add to it. */
function cost(text: string): number {
  const bytes = Buffer.from(text);
  const times = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    readCfdi(bytes);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}

describe('a CFDI that is made to be expensive to read', () => {
  it.each([
    ['4,050 namespaces at its root and as many below it', `<c ${namespaces(4_050)}>${children(4_050)}</c>`, 100],
    ['900 namespaces at its root and thousands below it', `<c ${namespaces(900)}>${children(6_200)}</c>`, 250],
  ])('is rejected quickly if it contains %s', (_, text, maxMs) => {
    expect(text.length).toBeGreaterThan(110_000);
    expect(readCfdi(Buffer.from(text))).toBeNull();
    expect(cost(text)).toBeLessThan(maxMs);
  });

  it('is read with the namespace declaration that is in scope', async () => {
    const receipt = findOrThrow(receiptsIn(payer, monthWith(1)), () => true);
    const text = (await getReceiptFiles(receipt)).xml.bytes.toString('utf8');
    // A declaration of a child ends with the child: its siblings keep the one of the root.
    const changed = text.replace(
      /<cfdi:Emisor[^>]*?\/>/,
      (tag) => `${tag}<q xmlns:cfdi="urn:other"><cfdi:Emisor/></q>`,
    );
    expect(changed).not.toBe(text);
    expect(readCfdi(Buffer.from(changed))).toEqual(readCfdi(Buffer.from(text)));
    expect(readCfdi(Buffer.from(changed))).not.toBeNull();
  });
});

import { documentKinds, growthUnderDocuments } from './documents-memory';

/** Number of documents, which would take 360 MB if padron kept them. */
const documents = 120;

it.each(documentKinds)(
  'different documents take little memory: %s',
  async (_what, make, variables) => {
    expect(await growthUnderDocuments(documents, make, variables)).toBeLessThan(200);
  },
  120_000,
);

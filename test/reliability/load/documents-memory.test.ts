import { documentKinds, growthUnderDocuments } from './documents-memory';

/** If padron held them, they would take 360 MB. */
const documents = 120;

it.each(documentKinds)(
  'documents of which no two are the same take little memory: %s',
  async (_what, make, variables) => {
    expect(await growthUnderDocuments(documents, make, variables)).toBeLessThan(200);
  },
  120_000,
);

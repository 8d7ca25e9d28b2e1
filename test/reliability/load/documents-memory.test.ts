import { documentKinds, growthUnderDocuments } from './documents-memory';

it.each(documentKinds)(
  'documents of which no two are the same take little memory: %s',
  async (_what, make, variables) => {
    expect(await growthUnderDocuments(make, variables)).toBeLessThan(200);
  },
  120_000,
);

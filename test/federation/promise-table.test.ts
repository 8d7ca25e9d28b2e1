import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GatewayKind, gateways } from './gateways/gateway';
import { type PromiseId, promises } from './promises';

const here = (file: string): string => readFileSync(join(__dirname, file), 'utf8');
const ids = Object.keys(promises) as readonly PromiseId[];
const isKeptByAll = (id: PromiseId): boolean => gateways.every(({ without }) => without[id] === undefined);

/** Returns the list and the table of docs/federation.md. */
function printPromises(): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const cell = ({ without }: GatewayKind, id: PromiseId): string => without[id] ?? 'yes';
  const kept = ids.filter(isKeptByAll).map((id) => `- ${promises[id]}`);
  const differing = ids.filter((id) => !isKeptByAll(id));
  const rows = [
    ['it', ...gateways.map(({ name, version }) => `${name} ${version}`)],
    ...differing.map((id) => [promises[id], ...gateways.map((kind) => cell(kind, id))]),
  ];
  const [head = [], ...body] = rows;
  return [...kept, '', row(head), row(head.map(() => '---')).replaceAll(' ', ''), ...body.map(row)].join('\n');
}

describe('the promises behind gateways', () => {
  it('are those of docs/federation.md', () => {
    expect(here('../../docs/federation.md')).toContain(printPromises());
  });

  it('are each checked by a test', () => {
    const tests = ['gateways', 'operations', 'platform', 'other-teams'].map((name) => here(`${name}.test.ts`)).join();
    expect(ids.filter((id) => !tests.includes(`promise('${id}'`))).toEqual([]);
  });

  it('are of the versions that are installed here', () => {
    const { dependencies } = JSON.parse(here('package.json'));
    const { dependencies: ofHive } = JSON.parse(here('hive/package.json'));
    const versions = Object.fromEntries(gateways.map(({ name, version }) => [name, version]));
    expect(versions['@apollo/gateway']).toBe(dependencies['@apollo/gateway']);
    expect(versions['Hive Gateway']).toBe(ofHive['@graphql-hive/gateway']);
  });
});

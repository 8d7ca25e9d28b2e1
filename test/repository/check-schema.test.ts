import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { changesBetween } from '../../scripts/schema-changes';

const root = join(__dirname, '../..');
const checker = join(root, 'scripts/check-schema.ts');
const tsx = join(root, 'node_modules/tsx/dist/cli.mjs');

/** A git repository with nothing but a graph and a changelog, for the check that compares its versions. */
interface SchemaRepository {
  write(schema: string, changelog?: string): SchemaRepository;
  commit(message: string): SchemaRepository;
  branch(name: string): SchemaRepository;
  /** Runs `npm run check:schema` there. */
  check(...options: readonly string[]): Promise<{ readonly code: number; readonly said: string }>;
  remove(): void;
}

// No hook and no setting of this machine takes part.
const environment = {
  ...process.env,
  GIT_CONFIG_GLOBAL: devNull,
  GIT_CONFIG_SYSTEM: devNull,
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.com',
};

function schemaRepository(): SchemaRepository {
  const folder = mkdtempSync(join(tmpdir(), 'padron-schema-'));
  const git = (...args: readonly string[]) => {
    execFileSync('git', args, { cwd: folder, env: environment, stdio: 'pipe' });
    return repository;
  };
  const repository: SchemaRepository = {
    write: (schema, changelog = '# Changelog\n\n## Unreleased\n') => {
      mkdirSync(join(folder, 'schema'), { recursive: true });
      writeFileSync(join(folder, 'schema/padron.graphql'), schema);
      writeFileSync(join(folder, 'CHANGELOG.md'), changelog);
      return repository;
    },
    commit: (message) => {
      git('add', '.');
      return git('commit', '--quiet', '--message', message);
    },
    branch: (name) => git('checkout', '--quiet', '-b', name),
    check: (...options) =>
      new Promise((resolve) => {
        const child = execFile(
          process.execPath,
          [tsx, checker, ...options],
          { cwd: folder, env: environment },
          (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, said: stdout + stderr }),
        );
      }),
    remove: () => rmSync(folder, { recursive: true }),
  };
  return git('init', '--quiet', '--initial-branch', 'main');
}

const graph = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@cost", "@listSize", "@tag"])
type Query @cost(weight: 0) { person(nss: ID, curp: ID = "x"): Person @tag(name: "lookup") }
interface Lookup { outcome: Outcome! }
type CreditLookup implements Lookup { outcome: Outcome! units: Int! }
type Person @key(fields: "nss") @key(fields: "curp") { nss: ID credit: CreditLookup @cost(weight: 1) creditor: String }
enum Outcome { FOUND NOT_FOUND }
input Name { names: String! surname: String }
union Answer = Person | CreditLookup
scalar Old
type Uses { old: Old names: [ID] answer(name: Name): Answer }
`;
const without = (text: string, by = ''): string => {
  if (!graph.includes(text)) throw new Error(`The graph has no ${text}.`);
  return graph.replace(text, by);
};
const shrunk = without('credit: CreditLookup @cost(weight: 1)');
const changelog = (unreleased: string, rest = '') => `# Changelog\n\n## Unreleased\n\n${unreleased}\n${rest}`;
const announced = changelog('### Breaking\n\n- `Person.credit` is gone: ask the bank.\n');

describe('npm run check:schema', () => {
  let repository: SchemaRepository;
  beforeEach(() => {
    repository = schemaRepository().write(graph).commit('The graph');
  });
  afterEach(() => repository.remove());

  it('has nothing to say on a first version', async () => {
    const { code, said } = await repository.check();
    expect([code, said]).toEqual([0, expect.stringContaining('holds no other version')]);
  });

  it('lets a safe addition pass', async () => {
    repository.write(without('creditor: String', 'creditor: String debts: Int'));
    const { code, said } = await repository.check();
    expect(said).toMatch(
      /^schema\/padron\.graphql against \w{7,} of [\d-]+ \(The graph\)\nNothing breaking and nothing dangerous\.\n$/,
    );
    expect(code).toBe(0);
  });

  it('fails on a breaking change that is not announced, and says how to announce it', async () => {
    const { code, said } = await repository.write(shrunk).check();
    expect(said).toContain('breaking   Person.credit was removed. — NOT ANNOUNCED');
    expect(said).toContain('## Unreleased\n\n### Breaking\n\n- `Person.credit`: ');
    expect(code).toBe(1);
  });

  it('lets a breaking change pass that is announced', async () => {
    const { code, said } = await repository.write(shrunk, announced).check();
    expect(said).toContain('Person.credit was removed. — announced');
    expect(code).toBe(0);
  });

  it('takes an announcement for frontends, and none for operators', async () => {
    const heading = (name: string) =>
      changelog(`### Breaking, for ${name}\n\n- \`Person.credit\` is gone: ask the bank.\n`);
    expect((await repository.write(shrunk, heading('frontends')).check()).code).toBe(0);
    expect((await repository.write(shrunk, heading('operators')).check()).code).toBe(1);
  });

  it.each([
    ['under another heading', changelog('### Removed\n\n- `Person.credit`\n')],
    ['for a field whose name begins alike', changelog('### Breaking\n\n- `Person.creditor`\n')],
    ['for an argument of the field', changelog('### Breaking\n\n- `Person.credit(on:)`\n')],
  ])('takes no announcement %s', async (_where, text) => {
    expect((await repository.write(shrunk, text).check()).code).toBe(1);
  });

  it('takes an announcement that a release has moved under its number, and none of a release before', async () => {
    const released = changelog('', '## 1.0.0\n\n### Breaking\n\n- `Person.credit`\n');
    expect((await repository.write(shrunk, released).commit('Release').check()).code).toBe(0);
    repository.write(graph, released).commit('It is back').write(shrunk, released);
    expect((await repository.check()).code).toBe(1);
  });

  it('compares a clean clone of main with the version before', async () => {
    const { code, said } = await repository.write(shrunk).commit('Shrink').check();
    expect([code, said]).toEqual([1, expect.stringContaining('(The graph)')]);
  });

  it('compares a branch with main, however many commits it has', async () => {
    repository.branch('work').write(shrunk).commit('Shrink').write(`${shrunk}scalar New\n`).commit('Grow');
    expect((await repository.check()).code).toBe(1);
    expect((await repository.check('--since', 'HEAD~1')).code).toBe(0);
  });

  it('shows what is dangerous without failing', async () => {
    const { code, said } = await repository.write(without('NOT_FOUND }', 'NOT_FOUND LATER }')).check();
    expect([code, said]).toEqual([0, expect.stringContaining('dangerous  LATER was added to enum type Outcome.\n')]);
  });

  it('does not pass for good what it cannot compare', async () => {
    const { code, said } = await repository.write(shrunk).check('--since', 'nowhere');
    expect([code, said]).toEqual([2, expect.stringContaining('cannot be compared')]);
  });
});

describe('the changes between two versions', () => {
  it.each([
    ['a type removed', without('scalar Old\n').replace('old: Old ', ''), ['Old', 'Uses.old']],
    ['a kind changed', without('scalar Old', 'enum Old { A }'), ['Old']],
    ['a field of another type', without('units: Int!', 'units: Int'), ['CreditLookup.units']],
    ['an argument removed', without('nss: ID, ', ''), ['Query.person(nss:)']],
    ['an argument of another type', without('person(nss: ID,', 'person(nss: Int,'), ['Query.person(nss:)']],
    ['an argument required', without('person(nss: ID,', 'person(on: ID!, nss: ID,'), ['Query.person(on:)']],
    ['an input field required', without('surname: String', 'surname: String age: Int!'), ['Name.age']],
    ['an input field removed', without('surname: String'), ['Name.surname']],
    ['an enum value removed', without(' NOT_FOUND '), ['Outcome.NOT_FOUND']],
    ['a union narrowed', without('Person | CreditLookup', 'Person'), ['Answer']],
    ['an interface dropped', without(' implements Lookup'), ['CreditLookup']],
    ['an entity without one of its keys', without(' @key(fields: "curp")'), ['Person']],
  ])('name the element of %s', (_change, after, coordinates) => {
    const breaking = changesBetween(graph, after).filter(({ level }) => level === 'breaking');
    expect(breaking.map(({ coordinate }) => coordinate)).toEqual(coordinates);
  });

  it.each([
    ['an optional argument', without('person(nss: ID,', 'person(on: ID, nss: ID,'), 'Query.person(on:)'],
    ['another default', without('"x"', '"y"'), 'Query.person(curp:)'],
    ['an optional input field', without('surname: String', 'surname: String age: Int'), 'Name.age'],
    ['a wider union', without('Person | CreditLookup', 'Person | CreditLookup | Uses'), 'Answer'],
    ['one more interface', without('type Uses {', 'type Uses implements Lookup { outcome: Outcome! '), 'Uses'],
    ['another price', without('@cost(weight: 1)', '@cost(weight: 2)'), 'Person.credit'],
    ['another size of a list', without('names: [ID]', 'names: [ID] @listSize(assumedSize: 3)'), 'Uses.names'],
    ['another tag', without('@tag(name: "lookup")', '@tag(name: "money")'), 'Query.person'],
    ['no price any more', without(' @cost(weight: 1)'), 'Person.credit'],
  ])('call %s dangerous', (_change, after, coordinate) => {
    expect(changesBetween(graph, after)).toMatchObject([{ level: 'dangerous', coordinate }]);
  });
});

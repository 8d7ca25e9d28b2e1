import { Ctx, Int, Query, Resolver } from 'type-graphql';
import * as kinds from '../../../src/config/setting-values';
import { Setting, settingsOf } from '../../../src/config/settings';
import type { CallerExtension, Context } from '../../../src/graph/core/context';
import type { Extension } from '../../../src/server/extension';

const part = { name: 'notes', settings: { enabled: new Setting('NOTES', kinds.boolean.default(false)) } };

/** Part of the context of a request that the field reads. */
interface NotesOfCaller extends CallerExtension {
  count(): Promise<number>;
}

@Resolver()
class NotesResolver {
  @Query(() => Int, { nullable: true, description: 'Number of notes of this account. Null if notes are off. Free.' })
  async registryNotes(@Ctx() { extensions }: Context): Promise<number | null> {
    return (extensions.notes as NotesOfCaller | undefined)?.count() ?? null;
  }
}

const tables = 'CREATE TABLE notes (account text NOT NULL, written_at timestamptz NOT NULL DEFAULT now())';

export const notes: Extension = {
  ...part,
  graph: { tag: 'notes', resolvers: [NotesResolver], nullWithoutError: { 'Query.registryNotes': 'Notes are off.' } },
  store: { migrations: () => [{ number: 1, name: 'notes-tables', sql: tables }] },
  async start({ config, persistence }) {
    if (persistence === null || !settingsOf(config, part).enabled) return null;
    const { store } = persistence;
    return {
      async routes(http, admission) {
        http.post('/notes', {
          onRequest: admission.authenticate,
          handler: admission.limit(async ({ account }, reply) => {
            await store.query('INSERT INTO notes (account) VALUES ($1)', [account?.account ?? '']);
            reply.code(204).send();
          }),
        });
        return null;
      },
      contextFor: ({ caller: { account } }): NotesOfCaller => ({
        async count() {
          const sql = 'SELECT count(*)::int AS notes FROM notes WHERE account = $1';
          const [row] = await store.query<{ readonly notes: number }>(sql, [account]);
          return row?.notes ?? 0;
        },
        // A note says nothing about a person, and is not encrypted.
        eraseSubject: async () => 0,
        missingKeys: async () => [],
      }),
    };
  },
};

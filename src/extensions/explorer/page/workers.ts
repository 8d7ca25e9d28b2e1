declare const EDITOR_WORKER: string;
declare const JSON_WORKER: string;
declare const GRAPHQL_WORKER: string;

const files: Readonly<Record<string, string>> = { json: JSON_WORKER, graphql: GRAPHQL_WORKER };

Object.assign(globalThis, {
  MonacoEnvironment: {
    getWorker: (_id: string, label: string): Worker =>
      new Worker(new URL(`./${files[label] ?? EDITOR_WORKER}`, import.meta.url), { type: 'module' }),
  },
});

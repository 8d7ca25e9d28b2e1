import * as kinds from '../../config/setting-values';
import { type Environment, Setting, settingsOf } from '../../config/settings';
import type { Extension } from '../../server/extension';

const part = {
  name: 'endpoints',
  settings: {
    /** Files or packages that describe endpoints. */
    files: new Setting('EXTENSIONS', kinds.texts),
    /** Names of endpoints by which padron finds an identifier that the caller did not give. */
    finders: new Setting('FINDERS', kinds.texts),
  },
};

const listOf = (environment: Environment, name: string): readonly string[] =>
  kinds.texts.parse(environment[name]?.trim() || undefined);

/** Endpoints that files describe: the fields of the graph that ask them. */
export const endpoints: Extension = {
  ...part,
  conflicts: (config) => {
    const { files, finders } = settingsOf(config, part);
    return [
      [
        finders.length > 0 && files.length === 0,
        'FINDERS needs EXTENSIONS, whose endpoints it names. Set EXTENSIONS, or remove FINDERS.',
      ],
    ];
  },
  async forEnvironment(environment) {
    const files = listOf(environment, 'EXTENSIONS');
    if (files.length === 0) return endpoints;
    // Loaded on demand: without files, no command needs the classes of the graph for this.
    const { readFiles } = await import('./read-files.js');
    const { graph, mistakes } = await readFiles(files, listOf(environment, 'FINDERS'));
    return { ...endpoints, ...(graph && { graph }), conflicts: () => mistakes.map((mistake) => [true, mistake]) };
  },
};

import * as kinds from '../../config/setting-values';
import { Setting, settingsOf } from '../../config/settings';
import type { Extension } from '../../server/extension';

const part = {
  name: 'endpoints',
  settings: {
    /** Files or packages that describe endpoints. */
    files: new Setting('EXTENSIONS', kinds.texts),
    /** Name of the endpoint by which padron finds the NSS of a CURP, if the caller did not give it. */
    nssFinder: new Setting('NSS_FINDER', kinds.text),
  },
};

/** Endpoints that files describe: the fields of the graph that ask them. */
export const endpoints: Extension = {
  ...part,
  conflicts: (config) => {
    const { files, nssFinder } = settingsOf(config, part);
    return [
      [
        nssFinder !== null && files.length === 0,
        'NSS_FINDER needs EXTENSIONS, of which it names an endpoint. Set EXTENSIONS, or remove NSS_FINDER.',
      ],
    ];
  },
  async forEnvironment(environment) {
    const files = kinds.texts.parse(environment.EXTENSIONS?.trim() || undefined);
    if (files.length === 0) return endpoints;
    // Loaded on demand: without files, no command needs the classes of the graph for this.
    const { readFiles } = await import('./read-files.js');
    const { graph, mistakes } = await readFiles(files, environment.NSS_FINDER?.trim() || null);
    return { ...endpoints, ...(graph && { graph }), conflicts: () => mistakes.map((mistake) => [true, mistake]) };
  },
};

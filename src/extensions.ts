import { agents } from './extensions/agents/extension';
import { batch } from './extensions/batch/extension';
import { endpoints } from './extensions/endpoints/extension';
import { explorer } from './extensions/explorer/extension';
import { proof } from './extensions/proof/extension';
import { sandbox } from './extensions/sandbox/extension';
import type { Extension } from './server/extension';

/** All extensions of padron. Without a line of this list, padron runs without that part. */
export const extensions: readonly Extension[] = [batch, explorer, agents, proof, sandbox, endpoints];

export const graphParts = extensions.flatMap(({ graph }) => graph ?? []);

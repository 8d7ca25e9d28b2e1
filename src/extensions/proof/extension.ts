import * as kinds from '../../config/setting-values';
import { Setting, settingsOf } from '../../config/settings';
import type { Extension } from '../../extension';
import { createLocalTime } from '../../money/reading/csv-export';
import { sandboxService } from './facts';
import { type ProofsOfCaller, proofGraph } from './graph';

const part = {
  name: 'proof',
  settings: {
    /** The key that signs proofs, and old keys that are still published. */
    keys: new Setting('PROOF_KEY', kinds.signingKeys),
  },
};

const verifyUsage = `padron verify <proof.pdf> --keys <jwks.json>

Checks a proof that padron made (registryProofDocument): that one of the keys signed it, and that its text says what was
signed. Prints the signed facts, and the SHA-256 of the file. It is offline: it needs no server, no store and no network.
Instead of the PDF you can give a file with the text of its QR code.

  --keys FILE    public keys: what the address /.well-known/jwks.json of the padron returned. Keep a copy of it

Exit codes: 0 the proof is valid, 1 it was changed or signed with another key, 2 the arguments or the files are invalid.
`;

/** Proofs as signed documents, and the command that checks them. */
export const proof: Extension = {
  ...part,
  graph: proofGraph,
  commands: {
    verify: {
      summary: 'checks a proof that padron made as a PDF',
      usage: verifyUsage,
      async run(args) {
        const { verify } = await import('./verify-command.js');
        return verify(args);
      },
    },
  },
  conflicts: (config, _environment, isSet) => [
    [
      isSet('PROOF_KEY') && config.data.store === null,
      'PROOF_KEY needs a store, whose entries are proved. Set DATABASE_URL or DATA_DIR, or remove PROOF_KEY.',
    ],
  ],
  async start({ config, persistence }) {
    const { ProofKeys } = await import('./signature.js');
    const keys = await ProofKeys.of(settingsOf(config, part).keys);
    if (persistence === null || keys === null) return null;
    const service = config.registryUrl ?? sandboxService;
    const localTime = createLocalTime(config.data.timeZone);
    // A document is not stored.
    const nothing = { eraseSubject: async () => 0, missingKeys: async () => [] };
    return {
      async routes(http) {
        http.get('/.well-known/jwks.json', (_request, reply) =>
          reply.type('application/jwk-set+json').header('cache-control', 'max-age=3600').send({ keys: keys.published }),
        );
        return null;
      },
      contextFor: (): ProofsOfCaller => ({ ...nothing, keys, service, localTime }),
    };
  },
};

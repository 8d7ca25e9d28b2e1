import * as kinds from '../../config/setting-values';
import { Setting, secretSetting, settingsOf } from '../../config/settings';
import { createLocalTime } from '../../money/ledger/reading/csv-export';
import type { Extension } from '../../server/extension';
import { type ProofsOfCaller, proofGraph } from './graph';

const labels = kinds.texts.refine(
  (entries) => entries.every((entry) => /^[^=]+=[^=]+$/.test(entry)),
  'must be purposes and their names, such as credit=Otorgamiento de crédito, separated by commas',
);
const settings = {
  keys: secretSetting('PROOF_KEY', kinds.signingKeys),
  issuer: new Setting('PROOF_ISSUER', kinds.text),
  purposes: new Setting('PROOF_PURPOSES', labels),
};
const part = { name: 'proof', settings };

const usage = `padron verify <proof.pdf> --keys <jwks.json>

Checks a proof that padron made (registryProofDocument): that one of the keys signed it, and that no byte of it was
changed. Prints the signed facts and the SHA-256 of the file. It is offline: it needs no server, no store and no network.
In place of the PDF, the file may have the text of its QR code. Its facts are signed, but the page is not checked.

  --keys FILE  public keys: a copy of what padron returned at /.well-known/jwks.json

Exit codes: 0 the proof is valid, 1 it was changed or none of the keys signed it, 2 the arguments or the files are
invalid.
`;

/** Proofs as signed documents, and the command that checks them. */
export const proof: Extension = {
  ...part,
  graph: proofGraph,
  commands: {
    verify: {
      summary: 'checks a proof that padron made as a PDF, without a server',
      usage,
      run: async (args) => (await import('./verify-command.js')).verify(args),
    },
  },
  conflicts: (config, _environment, isSet) => [
    [
      isSet('PROOF_KEY') && config.data.store === null,
      'PROOF_KEY needs a store, whose entries it proves. Set DATABASE_URL or DATA_DIR, or remove PROOF_KEY.',
    ],
  ],
  async start({ config, persistence }) {
    const { keys, issuer, purposes } = settingsOf(config, part);
    const [key] = keys;
    if (persistence === null || key === undefined) return null;
    const { sign, toKeySet } = await import('./signature.js');
    const published = await toKeySet(keys);
    const kid = published.keys[0]?.kid ?? '';
    const route = '/.well-known/jwks.json';
    // A caller chooses the host of its request, so no document names it.
    const keysUrl =
      config.publicUrl === null ? 'jwks.json of the issuer' : config.publicUrl.replace(/\/+$/, '') + route;
    const service = config.registryUrl ?? 'sandbox: all data is invented';
    const head = { issuer: issuer ?? 'not stated', service, key: kid, keys: keysUrl };
    const labels = new Map(purposes.map((entry) => entry.normalize('NFC').split('=') as [string, string]));
    const facts = { head, labels, localTime: createLocalTime(config.data.timeZone) };
    // A document is not stored.
    const nothing = { eraseSubject: async () => 0, missingKeys: async () => [] };
    return {
      async routes(http) {
        http.get(route, async (_request, reply) => reply.type('application/jwk-set+json').send(published));
        return null;
      },
      contextFor: (): ProofsOfCaller => ({ ...nothing, ...facts, sign: (content) => sign(content, key, kid) }),
    };
  },
};

import { errorsAbout } from '../../identifiers/code-entry';

export const proofCodes = errorsAbout(
  { group: 'GraphQL errors: the request', where: 'HTTP 200 on a field', shows: 'message' },
  {
    PROOFS_OFF: {
      message:
        'Proofs cannot be signed, because PROOF_KEY is not set. The operator sets it to the output of `openssl genpkey -algorithm ed25519`.',
      forUsers: 'Signed proofs are not available here.',
      forUsersSpanish: 'Los comprobantes firmados no están disponibles aquí.',
      toDo: 'have an operator set [`PROOF_KEY`](compliance.md#a-proof-as-a-file). `registryProofs` has the entries without it.',
    },
    PROOF_NOT_FOUND: {
      message:
        'This account has no entries that match the ID or the reference, and are linked to every identifier of the subject.',
      forUsers: 'There is no proof about this person under this number. Please check the data.',
      forUsersSpanish: 'No hay un comprobante de esta persona con ese número. Revise los datos.',
      toDo: 'check the ID or the reference, and each identifier: an entry is linked to those that its question had. The links of an erased person are deleted or blocked, and others [expire](compliance.md#what-padron-keeps).',
    },
  },
);

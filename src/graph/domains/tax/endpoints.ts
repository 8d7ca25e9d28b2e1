import { z } from 'zod';
import { endpoint } from '../../../registry/endpoint/endpoint';

export interface SignatureQuestion {
  readonly rfc: string;
  readonly password: string;
  readonly certificate: Buffer;
  readonly privateKey: Buffer;
}

/** Answers 200 with the envelope alone: the signature is valid. */
export const verifyElectronicSignature = endpoint({
  name: 'verifyElectronicSignature',
  registry: 'tax',
  method: 'POST',
  path: '/api/sat/grupo/verificar-firma-electronica',
  encoding: 'multipart',
  envelope: 'confirmation',
  units: 1,
  permission: 'use_sat_verificar_firma_electronica',
  batch: true,
  schema: z.literal(true),
  toWire: ({ rfc, password, certificate, privateKey }: SignatureQuestion) => ({
    userId: rfc,
    password,
    certificate: { filename: 'certificate.cer', bytes: certificate },
    privateKey: { filename: 'private.key', bytes: privateKey },
  }),
  subjects: ({ rfc }) => [{ kind: 'rfc', value: rfc }],
  argumentPaths: {
    userId: ['input', 'rfc'],
    password: ['input', 'password'],
    certificate: ['input', 'certificate'],
    privateKey: ['input', 'privateKey'],
  },
  matches: 'NAMES_NOBODY',
});

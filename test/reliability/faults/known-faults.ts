import type { EnvelopeKind } from '../../../src/registry/endpoint/endpoint';
import {
  type AnswerFault,
  brokenEnvelopes,
  malformedBodies,
  unrelatedBodies,
  unusualAnswers,
  withMembers,
} from '../../support/proxies/broken-answers';
import { quickFaults, slowFaults, type TransportFault } from '../../support/proxies/broken-transport';
import { enveloped, type Fault, json, unusable } from './fault';

/** Converts a fault of the other tests for the matrix. */
const byTransport = ({ name, code, play }: TransportFault): Fault => ({
  name,
  allowedReports: [{ outcome: 'UNAVAILABLE', code, billing: 'UNKNOWN' }],
  tamper: () => play,
});

function byAnswer(opens: readonly EnvelopeKind[] | null) {
  return ({ name, outcome, code, billing, change }: AnswerFault): Fault => ({
    name: `answers with ${name}`,
    allowedReports: [{ outcome, code, billing }],
    tamper: change,
    ...(opens === null ? {} : { opens }),
  });
}

/** Converts a fault of the common envelope for the kinds of answers that can have it. */
function envelopeFault(fault: AnswerFault): Fault {
  const { name } = fault;
  if (/^an array|__proto__|with a record/.test(name)) return byAnswer(['record'])(fault);
  return byAnswer(/data/.test(name) ? ['record', 'list'] : enveloped)(fault);
}

function oddity(fault: AnswerFault): Fault {
  const { name } = fault;
  if (name.startsWith('an array of one')) return byAnswer(['record'])(fault);
  return byAnswer(/empty array|404/.test(name) ? ['record', 'list'] : json)(fault);
}

const documents: readonly Fault[] = [
  ['ok false with 200', { ok: false }],
  ['ok as text', { ok: 'true' }],
  ['no ok', { ok: undefined }],
  ['another status in the body of a document', { status: 502 }],
].map(([name, members]) => ({
  name: `answers with ${name}`,
  allowedReports: [unusable],
  opens: ['document'],
  tamper: withMembers(members as object),
}));

export const knownFaults: readonly Fault[] = [
  ...quickFaults.map(byTransport),
  ...unrelatedBodies.map(byAnswer(null)),
  ...malformedBodies.map(byAnswer(json)),
  ...brokenEnvelopes.map(envelopeFault),
  ...unusualAnswers.map(oddity),
  ...documents,
];

export const knownHangs: readonly Fault[] = slowFaults.map(byTransport);

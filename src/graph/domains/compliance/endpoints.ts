import { z } from 'zod';
import {
  amount,
  columns,
  endpoint,
  type FileAnswer,
  ifReadable,
  isRegistration,
  placeholder,
  registration,
  requiredText,
  text,
  warnings,
} from '../../../registry/endpoint/endpoint';
import { byRegistration } from '../employer/endpoints';

const Classification = z.object({ giro: text, clave_fraccion: text, division: text, grupo: text });
const Fraction = z.object({ descripcion: text, descripcion_detalle: text, clase: text, prima_srt: amount });

const SubjectRecord = columns(
  {
    meta: ifReadable(columns({ sujeto_obligado_id: requiredText, registro_patronal: registration })),
    clasificacion: ifReadable(Classification.nullable()),
    fraccion: ifReadable(Fraction.nullable()),
    warnings,
  },
  ['meta', 'clasificacion', 'fraccion'],
);

export type SubjectRecord = z.output<typeof SubjectRecord>;

export const resolveObligatedSubject = endpoint({
  ...byRegistration,
  name: 'resolveObligatedSubject',
  path: '/private/sujeto-obligado',
  envelope: 'document',
  scope: 'padron_resolve_obligated_subject',
  schema: SubjectRecord,
  toWire: ({ registration }: { readonly registration: string }) => ({ rp: registration }),
  argumentPaths: { rp: ['registration'] },
  placeholderAnswer: ({ registration }) =>
    SubjectRecord.parse({ meta: { sujeto_obligado_id: placeholder(`subject of ${registration}`) } }),
  matches: ({ meta }, question) =>
    meta?.registro_patronal === null || isRegistration(meta?.registro_patronal, question.registration),
});

const dayInMexicoCity = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Mexico_City' });

export interface OpinionQuestion {
  /** Registration of the employer. It is not sent. */
  readonly registration: string;
  readonly obligatedSubject: string;
  readonly rfc: string;
  readonly curp: string | null;
  readonly kind: string | null;
}

export const issueOpinion = endpoint({
  ...byRegistration,
  name: 'issueOpinion',
  path: '/private/32d-imss',
  envelope: 'file',
  scope: 'padron_issue_opinion',
  schema: z.custom<FileAnswer>(),
  toWire: ({ obligatedSubject, rfc, curp, kind }: OpinionQuestion) => ({
    sujeto_obligado: obligatedSubject,
    rfc,
    ...(curp === null ? {} : { curp }),
    ...(kind === null ? {} : { tipo: kind }),
  }),
  subjects: ({ registration, rfc, curp }) => [
    { kind: 'registration', value: registration },
    { kind: 'rfc', value: rfc },
    ...(curp === null ? [] : [{ kind: 'curp' as const, value: curp }]),
  ],
  argumentPaths: { sujeto_obligado: ['registration'], rfc: ['rfc'], curp: ['curp'], tipo: ['kind'] },
  matches: 'COMPARED_BY_FIELD',
  maxBytes: 10_000_000,
  // An opinion is valid only on the day of its issue.
  isFresh: (issuedAt, now) => dayInMexicoCity.format(issuedAt) === dayInMexicoCity.format(now),
});

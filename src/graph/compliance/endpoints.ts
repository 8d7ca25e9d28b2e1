import { z } from 'zod';
import { endpoint, type FileAnswer, suppose } from '../../registry/endpoint';
import { amount, requiredText, text, warnings } from '../../registry/wire-values';

const Classification = z.object({ giro: text, clave_fraccion: text, division: text, grupo: text });
const Fraction = z.object({ descripcion: text, descripcion_detalle: text, clase: text, prima_srt: amount });

const SubjectRecord = z.object({
  meta: z.object({ sujeto_obligado_id: requiredText, registro_patronal: text }),
  clasificacion: Classification.nullish(),
  fraccion: Fraction.nullish(),
  warnings,
});

export type SubjectRecord = z.output<typeof SubjectRecord>;

export const resolveObligatedSubject = endpoint({
  name: 'resolveObligatedSubject',
  registry: 'socialSecurity',
  method: 'POST',
  path: '/private/sujeto-obligado',
  carries: 'json',
  opens: 'document',
  units: 1,
  permission: null,
  batch: false,
  answers: SubjectRecord,
  wire: ({ registration }: { readonly registration: string }) => ({ rp: registration }),
  arguments: { rp: ['registration'] },
  supposed: ({ registration }) =>
    SubjectRecord.parse({ meta: { sujeto_obligado_id: suppose(`subject of ${registration}`) } }),
  isAbout: ({ meta }, { registration }) => meta.registro_patronal === null || meta.registro_patronal === registration,
});

const dayInMexicoCity = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Mexico_City' });

export interface OpinionQuestion {
  readonly obligatedSubject: string;
  readonly rfc: string;
  readonly curp: string | null;
  readonly kind: string | null;
}

export const issueOpinion = endpoint({
  name: 'issueOpinion',
  registry: 'socialSecurity',
  method: 'POST',
  path: '/private/32d-imss',
  carries: 'json',
  opens: 'file',
  units: 1,
  permission: null,
  batch: false,
  answers: z.custom<FileAnswer>(),
  wire: ({ obligatedSubject, rfc, curp, kind }: OpinionQuestion) => ({
    sujeto_obligado: obligatedSubject,
    rfc,
    ...(curp === null ? {} : { curp }),
    ...(kind === null ? {} : { tipo: kind }),
  }),
  arguments: { sujeto_obligado: ['registration'], rfc: ['rfc'], curp: ['curp'], tipo: ['kind'] },
  maxBytes: 10_000_000,
  // An opinion is good for the day of its issue only.
  staysGood: (issuedAt, now) => dayInMexicoCity.format(issuedAt) === dayInMexicoCity.format(now),
});

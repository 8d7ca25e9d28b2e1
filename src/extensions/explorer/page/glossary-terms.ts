/** A Spanish term, its English translation, and the fields that contain it, each as `Type.field`. */
interface Term {
  readonly term: string;
  readonly english: string;
  readonly fields: readonly string[];
}

export const terms: readonly Term[] = [
  {
    term: 'cédula profesional',
    english: 'professional licence',
    fields: ['Query.professionalLicence', 'Person.licences'],
  },
  { term: 'certificado de estudios', english: 'certificate of studies', fields: ['Query.studyCertificate'] },
  {
    term: 'comprobante fiscal, recibo, CFDI',
    english: 'receipt',
    fields: ['Employer.receipts', 'Employer.receiptsBetween', 'Employer.receiptFiles'],
  },
  {
    term: 'constancia de situación profesional',
    english: 'certificate of professional status',
    fields: ['Person.professionalStatus'],
  },
  { term: 'crédito de vivienda, Infonavit', english: 'housing credit', fields: ['Person.credit'] },
  { term: 'cuenta, subcuenta de vivienda', english: 'housing account', fields: ['Person.housingAccount'] },
  {
    term: 'CURP, RENAPO, identidad',
    english: 'identity in the population registry',
    fields: ['Person.identity', 'Person.curp'],
  },
  { term: 'e.firma, firma electrónica', english: 'electronic signature', fields: ['Mutation.verifySignature'] },
  { term: 'número de seguridad social', english: 'social security number', fields: ['Person.nss'] },
  { term: 'opinión de cumplimiento, 32-D', english: 'compliance opinion', fields: ['Employer.complianceOpinion'] },
  { term: 'precio, unidades', english: 'price, units', fields: ['Query.registryEndpoints', 'Query.unitEstimate'] },
  {
    term: 'registro patronal',
    english: 'employer registration',
    fields: ['Query.employer', 'Employer.registration', 'Employer.snapshots'],
  },
  { term: 'sujeto obligado', english: 'obligated subject', fields: ['Employer.obligatedSubject'] },
];

import {
  downloadProfessionalStatus,
  findCertificate,
  findLicence,
  searchLicences,
} from '../../../src/graph/domains/education/endpoints';
import { findCredit, findHousingAccount } from '../../../src/graph/domains/housing/endpoints';
import { findIdentity } from '../../../src/graph/domains/population/endpoints';
import { addressOf } from '../address-of';

/** Method and path of the endpoints behind a person's fields. A contract test compares them with the OpenAPI document. */
export const CREDIT = addressOf(findCredit);
export const ACCOUNT = addressOf(findHousingAccount);
export const IDENTITY = addressOf(findIdentity);
export const LICENCE = addressOf(findLicence);
export const SEARCH = addressOf(searchLicences);
export const CERTIFICATE = addressOf(findCertificate);
export const STATUS = addressOf(downloadProfessionalStatus);
/** The signed link of a professional status: free, and open without a token. */
export const STATUS_LINK = 'GET /archivos/constancia-profesional/{token}';

import { ID } from 'type-graphql';
import { fields, Input, nonNull, optional } from '../../core/fields';
import { RegistryBilling } from '../../core/lookup/types';
import {
  CertificateFolio,
  Curp,
  DateTime,
  EmployerRegistration,
  LicenceNumber,
  Nss,
  Rfc,
} from '../../core/scalars/scalars';
import { PersonNameInput } from '../../domains/person/types';

@Input('Filter of the ledger. An entry has to match all fields.')
export class RegistryLedgerFilter extends fields({
  from: optional(
    DateTime,
    'Start of the interval, included. A day such as `2026-11-01` begins at midnight in `TIME_ZONE`.',
  ),
  to: optional(
    DateTime,
    'End of the interval, excluded. A day such as `2026-11-01` begins at midnight in `TIME_ZONE`.',
  ),
  client: optional(String, 'Entries of this client.'),
  tag: optional(String, 'Entries with this tag.'),
  purpose: optional(String, 'Entries with this purpose.'),
  operation: optional(String, 'Entries of operations with this name.'),
  endpoint: optional(
    String,
    'Entries of this endpoint: method and path, for example `POST /api/infonavit/grupo/buscar-credito`.',
  ),
  batch: optional(ID, 'Entries of this batch.'),
  reference: optional(
    String,
    'Entries with this reference: from the header `x-reference`, or the label of a batch row. Only by POST. The search is recorded in the audit trail.',
  ),
  actor: optional(
    String,
    'Entries of this person, of all clients: the `sub` of JWTs that also name an application. A JWT needs the scope `padron_audit`. Only by POST. The search is recorded in the audit trail.',
  ),
  billing: optional(RegistryBilling, 'Billing at the time of the call, regardless of later settlements.'),
  unsettled: optional(Boolean, 'True: entries whose billing is UNKNOWN and not settled. False: all other entries.'),
}) {}

@Input('A person or an employer, by any identifiers that you have. Entries linked to any of them are found.')
export class RegistrySubjectInput extends fields({
  nss: optional(Nss, 'Social security number.'),
  curp: optional(Curp, 'Population registry code.'),
  rfc: optional(Rfc, 'Taxpayer code.'),
  registration: optional(EmployerRegistration, 'Employer registration.'),
  licence: optional(LicenceNumber, 'Professional licence number.'),
  certificate: optional(CertificateFolio, 'Folio of a study certificate.'),
  name: optional(
    PersonNameInput,
    'A name that was used to search licences. Case and accents are ignored. People with the same name are found too.',
  ),
}) {}

@Input("Billing of one call according to the service's statement.")
export class RegistryBillingInput extends fields({
  id: nonNull(ID, 'The entry of the ledger. Its billing must be UNKNOWN.'),
  billing: nonNull(RegistryBilling, 'CHARGED or NOT_CHARGED.'),
  note: optional(
    String,
    'A note for accounting, for example `January, line 12`. At most 100 characters, and no identifier or e-mail address of a person.',
  ),
}) {}

import { fields, Input, nonNull, nullable, Output, optional } from '../../core/fields';
import { lookupFields } from '../../core/lookup/types';
import { Base64, Curp, DateTime, Rfc } from '../../core/scalars/scalars';
import { Upload, type UploadedFile } from '../../core/scalars/upload';

@Input(
  'A file: a part of a multipart request, or its bytes as base64 if a gateway has no multipart. Exactly one of them, 60,000 bytes at most.',
)
export class FileInput extends fields({
  upload: optional<UploadedFile>(Upload, 'A file part of a multipart request.'),
  base64: optional(Base64, 'The bytes of the file as base64.'),
}) {}

@Input('An electronic signature (e.firma) to verify.')
export class SignatureInput extends fields({
  rfc: nonNull(Rfc, "The holder's taxpayer code (`userId`)."),
  password: nonNull(String, 'The password of the private key. Used in memory only; never logged, stored or shown.'),
  certificate: nonNull(FileInput, 'The digital certificate (.cer).'),
  privateKey: nonNull(FileInput, 'The private key (.key), as the tax authority issued it: encrypted.'),
}) {}

@Output('Content of a certificate.')
export class SignatureCertificate extends fields({
  serialNumber: nonNull(String, 'Serial number, as a rule 20 digits.'),
  holder: nullable(String, 'Name of the holder.'),
  rfc: nullable(Rfc, 'Taxpayer code of the holder.'),
  curp: nullable(
    Curp,
    'Population registry code of the holder; null for a company, whose certificate names its representative.',
  ),
  issuer: nullable(String, 'Authority that issued the certificate.'),
  validFrom: nonNull<Date>(DateTime, 'Start of its validity.'),
  validUntil: nonNull<Date>(DateTime, 'End of its validity.'),
}) {}

@Output(
  'The verification of a signature. FOUND: it is valid. INVALID_INPUT: it is invalid, unreadable or was not checked. See `valid` and `problems`.',
)
export class SignatureVerification extends lookupFields({
  valid: nullable(
    Boolean,
    'Whether the signature is valid. False only if the certificate is proved invalid, or the key not to belong to it. Null if unknown, as when the service cannot read the key.',
  ),
  certificate: nullable(
    SignatureCertificate,
    'Content of the certificate, as padron reads it. Null if it is unreadable.',
  ),
}) {}

import { Field, InputType, ObjectType } from 'type-graphql';
import { RegistryLookup } from '../../core/lookup/types';
import { Base64, Curp, DateTime, Rfc } from '../../core/scalars/scalars';
import { Upload, type UploadedFile } from '../../core/scalars/upload';

@InputType({
  description:
    'A file: a part of a multipart request, or its bytes as base64 if a gateway has no multipart. Exactly one of them, 60,000 bytes at most.',
})
export class FileInput {
  @Field(() => Upload, { nullable: true, description: 'A file part of a multipart request.' })
  readonly upload?: UploadedFile | null;

  @Field(() => Base64, { nullable: true, description: 'The bytes of the file as base64.' })
  readonly base64?: string | null;
}

@InputType({ description: 'An electronic signature (e.firma) to verify.' })
export class SignatureInput {
  @Field(() => Rfc, { description: "The holder's taxpayer code (`userId`)." })
  readonly rfc: string;

  @Field(() => String, {
    description: 'The password of the private key. Used in memory only; never logged, stored or shown.',
  })
  readonly password: string;

  @Field(() => FileInput, { description: 'The digital certificate (.cer).' })
  readonly certificate: FileInput;

  @Field(() => FileInput, { description: 'The private key (.key), as the tax authority issued it: encrypted.' })
  readonly privateKey: FileInput;
}

@ObjectType({ description: 'Content of a certificate.' })
export class SignatureCertificate {
  @Field(() => String, { description: 'Serial number, as a rule 20 digits.' })
  readonly serialNumber: string;

  @Field(() => String, { nullable: true, description: 'Name of the holder.' })
  readonly holder: string | null;

  @Field(() => Rfc, { nullable: true, description: 'Taxpayer code of the holder.' })
  readonly rfc: string | null;

  @Field(() => Curp, {
    nullable: true,
    description:
      'Population registry code of the holder; null for a company, whose certificate names its representative.',
  })
  readonly curp: string | null;

  @Field(() => String, { nullable: true, description: 'Authority that issued the certificate.' })
  readonly issuer: string | null;

  @Field(() => DateTime, { description: 'Start of its validity.' })
  readonly validFrom: Date;

  @Field(() => DateTime, { description: 'End of its validity.' })
  readonly validUntil: Date;
}

@ObjectType({
  implements: RegistryLookup,
  description:
    'The verification of a signature. FOUND: it is valid. INVALID_INPUT: it is invalid, unreadable or was not checked. See `valid` and `problems`.',
})
export class SignatureVerification extends RegistryLookup {
  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether the signature is valid. False only if padron or the service found it invalid. Null if unknown.',
  })
  readonly valid: boolean | null;

  @Field(() => SignatureCertificate, {
    nullable: true,
    description: 'Content of the certificate, as padron reads it. Null if it is unreadable.',
  })
  readonly certificate: SignatureCertificate | null;
}

import { Field, InputType, ObjectType } from 'type-graphql';
import { RegistryLookup } from '../lookup/types';
import { Base64, Curp, DateTime, Rfc } from '../scalars/scalars';
import { Upload, type UploadedFile } from '../scalars/upload';

@InputType({
  description:
    'A file: a part of a multipart request, or its bytes as base64 where a gateway carries no multipart. Exactly one; at most 60,000 bytes.',
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

@ObjectType({ description: 'What a certificate says of itself.' })
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
    'The verification of a signature. FOUND: it is valid. INVALID_INPUT: it is not, could not be read, or was not looked at; `valid` says which and `problems` why.',
})
export class SignatureVerification extends RegistryLookup {
  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether the signature is valid: false only where a check here or the validation of the service says that it is not. Null when it could not be told.',
  })
  readonly valid: boolean | null;

  @Field(() => SignatureCertificate, {
    nullable: true,
    description: 'What the certificate itself says, read here; null when it cannot be read.',
  })
  readonly certificate: SignatureCertificate | null;
}

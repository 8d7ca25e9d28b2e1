/** Writes the few kinds of ASN.1 elements that certificates and keys of the tax authority are made of. */
export const sequence = (...parts: readonly Buffer[]): Buffer => element(0x30, Buffer.concat(parts));
export const set = (...parts: readonly Buffer[]): Buffer => element(0x31, Buffer.concat(parts));
export const octets = (bytes: Buffer): Buffer => element(0x04, bytes);
export const printable = (text: string): Buffer => element(0x13, Buffer.from(text, 'latin1'));
export const t61 = (text: string): Buffer => element(0x14, Buffer.from(text, 'latin1'));
export const ia5 = (text: string): Buffer => element(0x16, Buffer.from(text, 'latin1'));

export const objectIdentifier = (hex: string): Buffer => element(0x06, Buffer.from(hex, 'hex'));

export function integer(value: number): Buffer {
  const bytes = Buffer.alloc(5);
  bytes.writeUInt32BE(value, 1);
  const first = bytes.findIndex((byte) => byte > 0);
  // A leading bit of one would make it negative.
  return element(0x02, bytes.subarray((bytes[first] ?? 0) > 0x7f ? first - 1 : first));
}

function element(tag: number, content: Buffer): Buffer {
  if (content.length < 0x80) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  const header = Buffer.from([tag, 0x82, 0, 0]);
  header.writeUInt16BE(content.length, 2);
  return Buffer.concat([header, content]);
}

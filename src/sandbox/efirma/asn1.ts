/** One element of an ASN.1 structure in its DER form. */
export interface DerNode {
  readonly tag: number;
  readonly content: Buffer;
}

export const DER_TAGS = {
  integer: 0x02,
  octets: 0x04,
  identifier: 0x06,
  sequence: 0x30,
  t61: 0x14,
  bmp: 0x1e,
} as const;

/** Reads the first DER element and ignores any bytes after it. Throws if the element is incomplete. */
export function readDer(bytes: Buffer): DerNode {
  return readElement(bytes, 0).node;
}

/** Returns the elements inside a constructed element. Throws if one is incomplete. */
export function readChildren(parent: DerNode): readonly DerNode[] {
  const children: DerNode[] = [];
  let offset = 0;
  while (offset < parent.content.length) {
    const { node, end } = readElement(parent.content, offset);
    children.push(node);
    offset = end;
  }
  return children;
}

/** Returns the child at an index. Throws if it does not exist or has another tag. */
export function getChild(parent: DerNode, index: number, tag: number): DerNode {
  const child = readChildren(parent)[index];
  if (child?.tag !== tag) throw new RangeError(`no element of tag ${tag} at index ${index}`);
  return child;
}

/** Returns an object identifier as dotted numbers. */
export function decodeObjectIdentifier(node: DerNode): string {
  const numbers: number[] = [];
  let number = 0;
  for (const byte of node.content) {
    number = number * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    numbers.push(number);
    number = 0;
  }
  const [first = 0, ...rest] = numbers;
  const root = Math.min(Math.floor(first / 40), 2);
  return [root, first - root * 40, ...rest].join('.');
}

/** Returns a non-negative integer of at most six bytes. Throws if the node holds anything else. */
export function decodeInteger({ tag, content }: DerNode): number {
  if (tag !== DER_TAGS.integer || content.length === 0 || content.length > 6)
    throw new RangeError('not a small integer');
  return content.readUIntBE(0, content.length);
}

function readElement(bytes: Buffer, offset: number): { readonly node: DerNode; readonly end: number } {
  const tag = bytes.readUInt8(offset);
  const first = bytes.readUInt8(offset + 1);
  const extra = first < 0x80 ? 0 : first & 0x7f;
  if (first === 0x80 || extra > 4) throw new RangeError('a length that DER does not have');
  const length = extra === 0 ? first : bytes.readUIntBE(offset + 2, extra);
  const start = offset + 2 + extra;
  if (start + length > bytes.length) throw new RangeError('cut off');
  return { node: { tag, content: bytes.subarray(start, start + length) }, end: start + length };
}

export { type InlineFile, toBase64, toFile } from '../base64';
export { type Found, isFound, isPending, isTrusted } from '../is-found';

import { makeCell } from '../cell';

/** A file, and the place in the variables that it belongs to. */
export interface Upload {
  readonly path: string;
  readonly file: File;
}

/** A file that waits to be sent. */
export interface Attached {
  readonly file: File;
  /** The sandbox's own test file, which is nobody's secret and may stay. */
  readonly invented: boolean;
}

/** What is attached, by the last name of its place: `certificate` for `input.certificate.upload`. In memory only. */
export const attached = makeCell<ReadonlyMap<string, Attached>>(new Map());
/** Whether files are kept after they were sent. */
export const keepsFiles = makeCell(false);

/** The places that variables leave for files: every `upload: null`. */
export function openSlots(variables: unknown, path: readonly string[] = []): readonly string[] {
  if (typeof variables !== 'object' || variables === null) return [];
  return Object.entries(variables).flatMap(([name, value]) => {
    const here = [...path, name];
    return name === 'upload' && value === null ? [here.join('.')] : openSlots(value, here);
  });
}

/** `input.certificate.upload` is known as `certificate`. */
export function slotName(path: string): string {
  return path.split('.').at(-2) ?? path;
}

export function uploadsFor(variables: unknown, files: ReadonlyMap<string, Attached>): readonly Upload[] {
  return openSlots(variables).flatMap((path) => {
    const file = files.get(slotName(path))?.file;
    return file === undefined ? [] : [{ path, file }];
  });
}

export function attach(slot: string, file: File, invented = false): void {
  attached.set(new Map([...attached.get(), [slot, { file, invented }]]));
}

export function detach(slot: string): void {
  attached.set(new Map([...attached.get()].filter(([name]) => name !== slot)));
}

/** After use nothing of the user's stays, unless they asked for it. */
export function dropOwn(): void {
  if (keepsFiles.get()) return;
  attached.set(new Map([...attached.get()].filter(([, { invented }]) => invented)));
}

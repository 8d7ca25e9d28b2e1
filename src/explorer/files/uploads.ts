import { createStore } from '../store';

/** A file, and the place in the variables that it belongs to. */
export interface Upload {
  readonly path: string;
  readonly file: File;
}

/** A file that waits to be sent. */
export interface AttachedFile {
  readonly file: File;
  /** The sandbox's own test file, which is nobody's secret and may stay. */
  readonly isTestFile: boolean;
}

/** What is attached, by the last name of its place: `certificate` for `input.certificate.upload`. In memory only. */
export const attachedFiles = createStore<ReadonlyMap<string, AttachedFile>>(new Map());
/** Whether files are kept after they were sent. */
export const keepsFiles = createStore(false);

/** The places that variables leave for files: every `upload: null`. */
export function emptyUploadPaths(variables: unknown, path: readonly string[] = []): readonly string[] {
  if (typeof variables !== 'object' || variables === null) return [];
  return Object.entries(variables).flatMap(([name, value]) => {
    const innerPath = [...path, name];
    return name === 'upload' && value === null ? [innerPath.join('.')] : emptyUploadPaths(value, innerPath);
  });
}

/** `input.certificate.upload` is known as `certificate`. */
export function toSlotName(path: string): string {
  return path.split('.').at(-2) ?? path;
}

export function collectUploads(variables: unknown, files: ReadonlyMap<string, AttachedFile>): readonly Upload[] {
  return emptyUploadPaths(variables).flatMap((path) => {
    const file = files.get(toSlotName(path))?.file;
    return file === undefined ? [] : [{ path, file }];
  });
}

export function attach(slot: string, file: File, isTestFile = false): void {
  attachedFiles.set(new Map([...attachedFiles.get(), [slot, { file, isTestFile }]]));
}

export function detach(slot: string): void {
  attachedFiles.set(new Map([...attachedFiles.get()].filter(([name]) => name !== slot)));
}

/** After use nothing of the user's stays, unless they asked for it. */
export function clearUserFiles(): void {
  if (keepsFiles.get()) return;
  attachedFiles.set(new Map([...attachedFiles.get()].filter(([, { isTestFile }]) => isTestFile)));
}

import { createStore } from '../store';

export interface FileUpload {
  readonly path: string;
  readonly file: File;
}

export interface AttachedFile {
  readonly file: File;
  /** Whether the file belongs to the sandbox. Such a file is not secret and is kept after the request. */
  readonly isTestFile: boolean;
}

/** Attached files by slot, for example `certificate` for `input.certificate.upload`. They are kept in memory only. */
export const attachedFiles = createStore<ReadonlyMap<string, AttachedFile>>(new Map());
export const keepsFiles = createStore(false);

/** Returns the path of each `upload: null` in the variables. */
export function emptyUploadPaths(variables: unknown, path: readonly string[] = []): readonly string[] {
  if (typeof variables !== 'object' || variables === null) return [];
  return Object.entries(variables).flatMap(([name, value]) => {
    const innerPath = [...path, name];
    return name === 'upload' && value === null ? [innerPath.join('.')] : emptyUploadPaths(value, innerPath);
  });
}

export function toSlotName(path: string): string {
  return path.split('.').at(-2) ?? path;
}

export function collectUploads(variables: unknown, files: ReadonlyMap<string, AttachedFile>): readonly FileUpload[] {
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

/** Removes the user's files after a request, unless the user chose to keep them. */
export function clearUserFiles(): void {
  if (keepsFiles.get()) return;
  attachedFiles.set(new Map([...attachedFiles.get()].filter(([, { isTestFile }]) => isTestFile)));
}

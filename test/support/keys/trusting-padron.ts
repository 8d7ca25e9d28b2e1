import type { RunningPadron } from '../padrons/padron';
import { padronForTests } from '../padrons/padron-for-tests';
import { startForTests } from '../start-for-tests';
import { type Authority, mintAuthority } from './authority';
import { TODAY, temporaryFile } from './signatures';

export function trustingPadronForTests(): { readonly authority: Authority; readonly padron: RunningPadron } {
  const authority = startForTests(mintAuthority, () => undefined);
  const padron = padronForTests(() => ({
    now: () => TODAY,
    sandbox: { authorities: [temporaryFile('ca.pem', authority.pem)] },
  }));
  return { authority, padron };
}

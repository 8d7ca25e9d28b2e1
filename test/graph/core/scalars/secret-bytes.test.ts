import { SecretBytes } from '../../../../src/graph/core/scalars/secret-bytes';

const secret = () => Buffer.from('secret');
const wiped = Buffer.alloc(secret().length);

describe('the owner of secret bytes', () => {
  it('overwrites its buffers when it is released', () => {
    const owner = new SecretBytes();
    const [first, second] = [owner.keep(secret()), owner.keep(secret())];
    expect([first, second]).toEqual([secret(), secret()]);
    owner.release();
    expect([first, second]).toEqual([wiped, wiped]);
  });

  it('overwrites a buffer that arrives after its release', () => {
    const owner = new SecretBytes();
    owner.release();
    expect(owner.keep(secret())).toEqual(wiped);
  });

  it('waits for the last of its borrowers, and takes over what arrives meanwhile', async () => {
    const lender = new SecretBytes();
    const buffers = [lender.keep(secret())];
    const first = new SecretBytes();
    first.borrow(lender);
    await SecretBytes.during(async (second) => {
      second.borrow(lender);
      lender.release();
      buffers.push(lender.keep(secret()));
      first.release();
      expect(buffers).toEqual([secret(), secret()]);
    });
    expect(buffers).toEqual([wiped, wiped]);
  });

  it('is released when its work fails', async () => {
    let kept: Buffer | null = null;
    const work = SecretBytes.during(async (secrets) => {
      kept = secrets.keep(secret());
      throw new Error('failed');
    });
    await expect(work).rejects.toThrow('failed');
    expect(kept).toEqual(wiped);
  });
});

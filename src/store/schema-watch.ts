import { times } from '../times';
import { unknownBreakingSql } from './migrate';
import { type Migration, type Store, UnusableStoreError } from './store';

/**
 * Notices that a newer version migrates the store in a way that this process cannot work with. It asks the store at the rate of the
 * heartbeat, because a notification can be lost. An embedded store has one process, which migrates it before it uses it.
 */
export class SchemaWatch {
  /** Resolves with the names of the migrations. The process must then stop. */
  readonly superseded: Promise<readonly string[]>;
  private supersede: (migrations: readonly string[]) => void = () => undefined;
  private timer: NodeJS.Timeout | null = null;
  private isChecking = false;

  constructor(
    private readonly store: Pick<Store, 'engine' | 'isOpen' | 'queryAhead'>,
    private readonly migrations: readonly Migration[],
  ) {
    this.superseded = new Promise((resolve) => {
      this.supersede = resolve;
    });
  }

  /** Rejects if such a migration is announced already. Called after this process has registered, so that the migration waits for it. */
  async start(): Promise<void> {
    if (this.store.engine === 'embedded') return;
    const found = this.store.isOpen ? await this.find() : [];
    if (found.length > 0)
      throw new UnusableStoreError(
        `A newer version of padron is migrating the store (${found.join(', ')}). Start that version, or use another store.`,
      );
    this.timer = setInterval(() => void this.check(), times.beat).unref();
  }

  stop(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
  }

  private async check(): Promise<void> {
    if (this.isChecking) return;
    this.isChecking = true;
    // The heartbeat reports a store that fails.
    const found = await this.find().catch(() => []);
    this.isChecking = false;
    if (found.length === 0) return;
    this.stop();
    this.supersede(found);
  }

  private async find(): Promise<readonly string[]> {
    const names = this.migrations.map(({ name }) => name);
    const rows = await this.store.queryAhead<{ readonly name: string }>(unknownBreakingSql, [names]);
    return rows.map(({ name }) => name);
  }
}

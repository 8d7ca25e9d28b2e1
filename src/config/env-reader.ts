export type Environment = Readonly<Record<string, string | undefined>>;

/** Whether only this machine reaches an address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Reads one variable at a time and remembers what is wrong with each. An empty variable is an unset one. */
export class Reader {
  readonly faults: string[] = [];

  constructor(private readonly environment: Environment) {}

  text(name: string): string | null {
    const value = this.environment[name]?.trim();
    return value === undefined || value === '' ? null : value;
  }

  /** Text that must be hard to guess; the fault never shows it. */
  secret(name: string, least: number): string | null {
    const value = this.text(name);
    if (value === null || value.length >= least) return value;
    return this.fault(name, `must have at least ${least} characters`, null);
  }

  whole(name: string, otherwise: number, least: number, most: number): number {
    const value = this.text(name);
    if (value === null) return otherwise;
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= least && number <= most) return number;
    return this.fault(name, `must be a whole number from ${least} to ${most}`, otherwise);
  }

  flag(name: string, otherwise: boolean): boolean {
    const value = this.text(name)?.toLowerCase() ?? null;
    if (value === null) return otherwise;
    if (value === 'true' || value === 'on') return true;
    if (value === 'false' || value === 'off') return false;
    return this.fault(name, 'must be true or false', otherwise);
  }

  choice<Choice extends string>(name: string, choices: readonly Choice[], otherwise: Choice): Choice {
    const value = this.text(name);
    if (value === null) return otherwise;
    const chosen = choices.find((choice) => choice === value);
    return chosen ?? this.fault(name, `must be one of ${choices.join(', ')}`, otherwise);
  }

  list(name: string): readonly string[] {
    const entries = (this.text(name) ?? '').split(',').map((entry) => entry.trim());
    return entries.filter((entry) => entry !== '');
  }

  /** The token travels there: in clear only within this machine. */
  url(name: string): string | null {
    const value = this.text(name);
    if (value === null) return null;
    const url = URL.canParse(value) ? new URL(value) : null;
    if (url === null || !/^https?:$/.test(url.protocol)) return this.fault(name, 'must be an http(s) URL', null);
    if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
      return this.fault(name, 'must hold no credentials, query or fragment', null);
    }
    if (url.protocol === 'https:' || isLoopback(url.hostname)) return value;
    return this.fault(name, 'must use https: outside loopback', null);
  }

  path(name: string, otherwise: string): string {
    const value = this.text(name) ?? otherwise;
    return /^\/[\w\-./]*$/.test(value) ? value : this.fault(name, 'must be a path that starts with /', otherwise);
  }

  /** Origins that personal data come from: in clear only within this machine. */
  secureOrigins(name: string): readonly string[] {
    const origins = this.origins(name);
    const inClear = origins.some((origin) => !origin.startsWith('https:') && !isLoopback(new URL(origin).hostname));
    return inClear ? this.fault(name, 'must use https: outside loopback', []) : origins;
  }

  origins(name: string): readonly string[] {
    return this.list(name).flatMap((entry) => {
      const origin = URL.canParse(entry) ? new URL(entry).origin : null;
      if (origin === entry.replace(/\/$/, '') && origin !== 'null') return [origin];
      return this.fault(name, 'must be origins such as https://files.example.com, separated by commas', []);
    });
  }

  private fault<Value>(name: string, rule: string, value: Value): Value {
    this.faults.push(`${name} ${rule}.`);
    return value;
  }
}

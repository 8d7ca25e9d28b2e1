import type { ReactNode } from 'react';
import type { Registry } from './registries';

interface RegistryRowProps {
  readonly registry: Registry;
  /** Shown beside the title: a price or a status. */
  readonly aside: ReactNode;
  /** Shown below the title. */
  readonly children?: ReactNode;
}

export function RegistryRow({ registry, aside, children }: RegistryRowProps) {
  const { title, about } = registry;
  return (
    <article className="registry" aria-label={title}>
      <header>
        <h3>{title}</h3>
        {aside}
        <p>{about}</p>
      </header>
      {children}
    </article>
  );
}

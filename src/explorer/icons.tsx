import type { ReactNode } from 'react';

function Icon({ children }: { readonly children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 20 20"
      width="1em"
      height="1em"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

export function ClockIcon() {
  return (
    <Icon>
      <circle cx="10" cy="10" r="7.5" />
      <path d="M10 5.5V10l3 2" />
    </Icon>
  );
}

export function MoneyIcon() {
  return (
    <Icon>
      <ellipse cx="10" cy="5" rx="6.5" ry="2.8" />
      <path d="M3.5 5v5c0 1.5 2.9 2.8 6.5 2.8s6.5-1.3 6.5-2.8V5M3.5 10v5c0 1.500 2.900 2.800 6.500 2.800s6.500-1.300 6.500-2.800v-5" />
    </Icon>
  );
}

export function BatchIcon() {
  return (
    <Icon>
      <path d="M2.500 4.500h2M2.500 10h2M2.500 15.500h2M7.500 4.500h10M7.500 10h10M7.500 15.500h5M14.500 13.500l3 2-3 2z" />
    </Icon>
  );
}

export function FilesIcon() {
  return (
    <Icon>
      <path d="M15.500 9.500l-5.700 5.700a3.300 3.300 0 01-4.700-4.700l6.400-6.400a2.200 2.200 0 013.100 3.100l-6.300 6.300a1 1 0 01-1.500-1.500l5.500-5.500" />
    </Icon>
  );
}

export function SandboxIcon() {
  return (
    <Icon>
      <circle cx="7.500" cy="6.500" r="2.800" />
      <path d="M2.500 16.500c0-3 2.200-5 5-5s5 2 5 5M13 4.200a2.600 2.600 0 010 4.800M14.500 11.900c1.900.6 3 2.400 3 4.600" />
    </Icon>
  );
}

export function GlossaryIcon() {
  return (
    <Icon>
      <path d="M3 4h5a2 2 0 012 2v11a2 2 0 00-2-2H3zM17 4h-5a2 2 0 00-2 2v11a2 2 0 012-2h5z" />
    </Icon>
  );
}

export function CodeIcon() {
  return (
    <span className="padron-code-icon">
      <Icon>
        <path d="M7 5l-5 5 5 5M13 5l5 5-5 5" />
      </Icon>
    </span>
  );
}

export const icon = (path: string, className?: string) =>
  function Icon() {
    return (
      <svg
        className={className}
        viewBox="0 0 20 20"
        width="1em"
        height="1em"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        aria-hidden="true"
      >
        <path d={path} />
      </svg>
    );
  };

export const ClockIcon = icon('M10 2.5a7.5 7.5 0 100 15 7.5 7.5 0 000-15zM10 5.5V10l3 2');
export const AgeIcon = icon('M3.5 5h13v12h-13zM3.5 8.5h13M7 3v3.5M13 3v3.5');
export const MoneyIcon = icon(
  'M3.5 5a6.5 2.8 0 1013 0 6.5 2.8 0 10-13 0zM3.5 5v5c0 1.5 2.9 2.8 6.5 2.8s6.5-1.3 6.5-2.8V5M3.5 10v5c0 1.5 2.9 2.8 6.5 2.8s6.5-1.3 6.5-2.8v-5',
);
export const FilesIcon = icon(
  'M15.5 9.5l-5.7 5.7a3.3 3.3 0 01-4.7-4.7l6.4-6.4a2.2 2.2 0 013.1 3.1l-6.3 6.3a1 1 0 01-1.5-1.5l5.5-5.5',
);
export const SandboxIcon = icon(
  'M7.5 3.7a2.8 2.8 0 100 5.6 2.8 2.8 0 000-5.6zM2.5 16.5c0-3 2.2-5 5-5s5 2 5 5M13 4.2a2.6 2.6 0 010 4.8M14.5 11.9c1.9.6 3 2.4 3 4.6',
);
export const GlossaryIcon = icon('M3 4h5a2 2 0 012 2v11a2 2 0 00-2-2H3zM17 4h-5a2 2 0 00-2 2v11a2 2 0 012-2h5z');
export const CodeIcon = icon('M7 5l-5 5 5 5M13 5l5 5-5 5', 'graphiql-toolbar-icon');

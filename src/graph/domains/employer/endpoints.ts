/** Properties of the endpoints that take an employer registration. The interface names no permission for them. */
export const byRegistration = {
  registry: 'socialSecurity',
  method: 'POST',
  encoding: 'json',
  units: 1,
  permission: null,
  batch: false,
  subjects: ({ registration }: { readonly registration: string }) => [
    { kind: 'registration', value: registration } as const,
  ],
} as const;

/** The port of each program on this machine. */
export const ports = {
  padron: Number(process.env.PADRON_PORT ?? 4000),
  hr: Number(process.env.HR_PORT ?? 4001),
  hive: Number(process.env.HIVE_PORT ?? 4002),
  apollo: Number(process.env.APOLLO_PORT ?? 4003),
};

export const urlOf = (program) => `http://127.0.0.1:${ports[program]}/graphql`;

/** The port of each program on this machine. */
export const ports = {
  padron: Number(process.env.PADRON_PORT ?? 4000),
  hr: Number(process.env.HR_PORT ?? 4001),
  gateway: Number(process.env.GATEWAY_PORT ?? 4002),
};

export const urlOf = (program) => `http://127.0.0.1:${ports[program]}/graphql`;

import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

/** Lets the browsers of named origins ask; without any, no browser of another origin gets an answer. */
export async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  await app.register(cors, {
    origin: [...origins],
    methods: ['GET', 'POST'],
    allowedHeaders: [
      'content-type',
      'authorization',
      'apollo-require-preflight',
      'x-apollo-operation-name',
      'x-sandbox',
      'x-max-units',
      'x-dry-run',
      'x-client-name',
      'x-tag',
      'apollographql-client-name',
    ],
    exposedHeaders: ['x-units-spent', 'x-request-id', 'x-registry-service'],
    maxAge: 600,
  });
}

import fastifyCors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'
import { CSRF_HEADER } from '#contracts/lib/constants.ts'

export type CorsOrigins = readonly string[] | 'any'

/** Adds CORS headers for these origins to every response, errors included: without them a browser hides the response. */
export const cors = (app: FastifyInstance, origins: CorsOrigins) =>
  app.register(fastifyCors, {
    origin: origins === 'any' || [...origins],
    credentials: true,
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'If-None-Match', 'Last-Event-ID', 'X-World', CSRF_HEADER],
    exposedHeaders: ['Content-Disposition', 'Date', 'ETag', 'Retry-After'],
    maxAge: 600,
    strictPreflight: false,
  })

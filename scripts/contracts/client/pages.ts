import { existsSync } from 'node:fs'
import path from 'node:path'
import Fastify from 'fastify'
import { readConfig } from '#server/config.ts'
import { portal } from '#server/http/portal.ts'
import { answerErrors } from '#server/lib/errors.ts'
import { portalOptions } from '#server/portal-options.ts'
import { CannotRun } from './cannot-run.ts'
import type { Io } from './io.ts'

/** Serves a built portal that calls the API on its own origin. */
export async function pages(folder: string, env: Io['env']) {
  const root = path.resolve(folder)
  if (!existsSync(path.join(root, 'index.html'))) throw new CannotRun(`--portal ${folder} holds no portal; npm run build makes dist/web`)
  const app = Fastify()
  answerErrors(app)
  await portal(app, { ...portalOptions(readConfig(env)), root })
  await app.ready()
  return app.routing
}

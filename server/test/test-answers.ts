import { appendFileSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'

/** Folder in which a full test run records its responses; set by `scripts/test.ts`, so that a partial run records nothing. */
const FOLDER = process.env.ANSWERS_DIR
const noted = new Set<string>()

/** Records method, path, status and error code of every response, each combination once. */
export function noteAnswers(app: FastifyInstance) {
  if (!FOLDER) return
  mkdirSync(FOLDER, { recursive: true })
  app.addHook('onSend', async ({ routeOptions: { config }, faults }, { statusCode }, payload) => {
    if (!config.route || faults?.length) return
    const code = statusCode >= 400 && typeof payload === 'string' ? String(JSON.parse(payload).code) : '-'
    const line = `${config.route.method} ${config.route.path} ${statusCode} ${code}\n`
    if (noted.has(line)) return
    noted.add(line)
    appendFileSync(path.join(FOLDER, `${process.pid}.txt`), line)
  })
}

import { appendFileSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'

/** Folder in which a full test run records its responses; set by `scripts/test.ts`, so that a partial run records nothing. */
const RESPONSES_FOLDER = process.env.ANSWERS_DIR
const recorded = new Set<string>()

/** Records method, path, status and error code of every response, each combination once. */
export function recordResponses(app: FastifyInstance) {
  if (!RESPONSES_FOLDER) return
  mkdirSync(RESPONSES_FOLDER, { recursive: true })
  app.addHook('onSend', async ({ routeOptions: { config }, faults }, { statusCode }, payload) => {
    if (!config.route || faults?.length) return
    const code = statusCode >= 400 && typeof payload === 'string' ? String(JSON.parse(payload).code) : '-'
    const line = `${config.route.method} ${config.route.path} ${statusCode} ${code}\n`
    if (recorded.has(line)) return
    recorded.add(line)
    appendFileSync(path.join(RESPONSES_FOLDER, `${process.pid}.txt`), line)
  })
}

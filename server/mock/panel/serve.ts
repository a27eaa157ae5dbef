import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { findProgramFile } from '#db/program-files.ts'
import { computeEtag, sendNotModified } from '#server/http/encoding/etag.ts'
import { Failure } from '#server/lib/errors.ts'
import { injectScript } from '#server/mock/control/hooks/inject-script.ts'

const SCRIPT_FOLDER = findProgramFile('dist/panel')
const SCRIPT_NAME = /^[\w-]+\.js$/

type ScriptRequest = { Params: { file: string } }

/** Serves the developer panel's scripts and adds the first of them to every page of the portal. */
export function servePanel(app: FastifyInstance, folder = SCRIPT_FOLDER) {
  injectScript(app, '/mock/panel/panel.js')
  app.get<ScriptRequest>('/mock/panel/:file', async ({ params: { file }, headers }, reply) => {
    const script = SCRIPT_NAME.test(file) ? await readFile(path.join(folder, file), 'utf8').catch(() => undefined) : undefined
    if (script === undefined) throw new Failure('not_found')
    reply.header('cache-control', 'no-cache')
    if (sendNotModified(reply, computeEtag(script), headers['if-none-match'])) return reply
    return reply.type('text/javascript; charset=utf-8').send(script)
  })
}

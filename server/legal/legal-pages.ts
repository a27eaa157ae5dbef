import type { FastifyInstance } from 'fastify'
import { Failure } from '#server/lib/errors.ts'
import type { LegalTexts } from './legal-texts.ts'

/**
 * Serves each text of `LEGAL_DIR` as the file that the page `/legal/…` of the portal shows. Like `/config.json` they belong to the portal,
 * not to the API.
 */
export function registerLegalTexts(app: FastifyInstance, legal: LegalTexts | undefined) {
  if (!legal) return
  app.get<{ Params: { file: string } }>('/legal/texts/:file', async ({ params: { file } }, reply) => {
    for (const [name, text] of Object.entries(legal.texts))
      if ('texts' in text)
        for (const [language, blocks] of Object.entries(text.texts))
          if (file === `${name}.${language}.json`) return reply.header('cache-control', 'no-cache').send(blocks)
    throw new Failure('not_found')
  })
}

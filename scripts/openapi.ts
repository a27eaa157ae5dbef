import { writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { playAll } from '#scripts/openapi/play-all.ts'
import { openapi } from '#server/lib/openapi.ts'

export const OPENAPI_FILE = 'docs/openapi.json'

/** The document as it is committed: the table, with what a server over the seeded world answers to the example of each call. */
export const openapiText = async () => `${JSON.stringify(openapi(undefined, await playAll()), null, 1)}\n`

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(OPENAPI_FILE, await openapiText())
  console.log(`Wrote ${OPENAPI_FILE}`)
}

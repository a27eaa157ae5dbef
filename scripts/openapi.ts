import { writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { openapi } from '#server/lib/openapi.ts'

export const OPENAPI_FILE = 'docs/openapi.json'

/** The document as it is committed. */
export const openapiText = () => `${JSON.stringify(openapi(), null, 2)}\n`

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(OPENAPI_FILE, openapiText())
  console.log(`Wrote ${OPENAPI_FILE}`)
}

import { writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { buildOpenApi } from '#server/http/docs/openapi.ts'
import { buildReference } from '#server/mock/control/reference.ts'
import { playAll } from './play-all.ts'

const textOf = (document: object) => `${JSON.stringify(document, null, 1)}\n`

/** The committed OpenAPI documents by file: the portal API with the responses to each example, and the control plane of the mock server. */
export const openapiTexts = async () => ({
  'docs/openapi.json': textOf(buildOpenApi(undefined, await playAll())),
  'docs/openapi-mock.json': textOf(buildReference()),
})

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [file, text] of Object.entries(await openapiTexts())) {
    writeFileSync(file, text)
    console.log(`Wrote ${file}`)
  }
}

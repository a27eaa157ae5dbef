import { writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { playAll } from '#scripts/openapi/play-all.ts'
import { openapi } from '#server/lib/openapi.ts'
import { reference } from '#server/mock/reference.ts'

const textOf = (document: object) => `${JSON.stringify(document, null, 1)}\n`

/**
 * The documents as they are committed, by file: the table, with what a server over the seeded world answers to the example of
 * each call; and the control plane of the mock server.
 */
export const openapiTexts = async () => ({
  'docs/openapi.json': textOf(openapi(undefined, await playAll())),
  'docs/openapi-mock.json': textOf(reference()),
})

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [file, text] of Object.entries(await openapiTexts())) {
    writeFileSync(file, text)
    console.log(`Wrote ${file}`)
  }
}

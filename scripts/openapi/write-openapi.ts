import { writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import setup from '#scripts/test-setup/templates.ts'
import { signInAs } from '#server/accounts/sessions/sign-in.ts'
import { buildOpenApi, type RecordedExamples } from '#server/http/docs/openapi.ts'
import { buildReference } from '#server/mock/control/reference.ts'
import { getPersona } from '#server/mock/seed/records/personas.ts'
import { buildOperatorReference } from '#server/operator/reference.ts'
import { endpoints } from '#server/test/examples/all.ts'
import { sendExample } from '#server/test/examples/send-example.ts'
import { startPortal } from '#server/test/start-portal.ts'

const MAX_ENTRIES = 2
const MAX_LINES = 6

/** Sends the example request of every endpoint, each in its own world at the time of the seed data. */
export async function playAll(): Promise<RecordedExamples> {
  await setup()
  await using portal = await startPortal()
  const played: RecordedExamples = {}
  for (const { name, example } of endpoints) {
    const world = await portal.worlds.create({ id: name.replace('.', '-').toLowerCase(), seed: 1 })
    const signIn = (key: string) => signInAs(world, getPersona(key).email)
    const { as, after, body, ...sent } = example
    const answer = await sendExample(portal.app, name, signIn, { 'x-world': world.id })
    if (answer.status >= 300) throw new Error(`The example of ${name} returned ${answer.status}: ${answer.text}`)
    played[name] = { ...sent, ...(body !== undefined && !(body instanceof Blob) && { body }), answer: shortenResponse(answer) }
  }
  return played
}

/** Shortens a response for the reference; undefined if it is not text. */
function shortenResponse({ type, text }: { type: string; text: string }) {
  if (type.startsWith('application/json')) return shortenLists(JSON.parse(text))
  return type.startsWith('text/') ? text.split('\n').slice(0, MAX_LINES).join('\n') : undefined
}

function shortenLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map(shortenLists)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortenLists(inner)]))
}

type Document = ReturnType<typeof buildOpenApi>

const formatJson = (document: Document) => `${JSON.stringify(document, null, 1)}\n`

/** The committed OpenAPI documents by file: the portal API with the responses to each example, the control plane of the mock
 * server, and the counter of the company. */
export const openapiTexts = async () => ({
  'docs/openapi.json': formatJson(buildOpenApi(undefined, await playAll())),
  'docs/openapi-mock.json': formatJson(buildReference()),
  'docs/openapi-operator.json': formatJson(buildOperatorReference()),
})

export async function writeOpenapi() {
  for (const [file, text] of Object.entries(await openapiTexts())) {
    writeFileSync(file, text)
    console.log(`Wrote ${file}`)
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await writeOpenapi()

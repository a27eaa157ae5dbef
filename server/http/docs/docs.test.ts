import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { buildReference } from '#server/mock/control/reference.ts'
import { resolveReferences } from './docs.ts'
import { buildOpenApi } from './openapi.ts'

type Plugin = ReturnType<typeof resolveReferences>
type Json = Parameters<Plugin['fn']['resolveSubtree']>[0]
/** As in the page: from its text, and with nothing of this process around it. A run that records calls has marked the text with `__calls`. */
const { resolveSubtree } = (runInNewContext(`(${resolveReferences})`, { __calls: [] }) as typeof resolveReferences)().fn

test.each([
  ['API', buildOpenApi()],
  ['control plane', buildReference()],
])('an opened operation in the page of the %s contains what its references name', async (_name, reference) => {
  const document = structuredClone(reference) as unknown as Json
  for (const [url, operations] of Object.entries(document.paths ?? {}))
    for (const method of Object.keys(operations)) {
      const { spec, errors } = await resolveSubtree(document, ['paths', url, method])
      expect(errors).toHaveLength(0)
      expect(spec).toMatchObject({ responses: expect.anything() })
      expect(JSON.stringify(spec), `${method} ${url}`).not.toContain('"$ref"')
    }
})

test('a schema that contains itself is resolved once, and properties next to a reference are kept', async () => {
  const document = {
    node: { $ref: '#/models/Node', description: 'the first' },
    models: { Node: { type: 'object', properties: { next: { $ref: '#/models/Node' } } } },
  } as unknown as Json
  expect(JSON.parse(JSON.stringify((await resolveSubtree(document, ['node'])).spec))).toEqual({
    description: 'the first',
    type: 'object',
    properties: { next: { $ref: '#/models/Node' } },
  })
})

import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createTempFolder, createTestIo } from '#scripts/contracts/test-io.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { compareDocuments, type Document } from './compare-documents.ts'
import { compareSchemas, type Schema } from './compare-schemas.ts'
import { runDiff } from './diff.ts'

const text: Schema = { type: 'string' }
const object = (properties: Record<string, Schema>, required: string[] = []): Schema => ({ type: 'object', properties, required })
const closed = (schema: Schema): Schema => ({ ...schema, additionalProperties: false })
const same = (schema: Schema) => schema
const judge = (before: Schema, after: Schema, direction: 'request' | 'response') =>
  compareSchemas(before, after, direction, { before: same, after: same }).map(
    ({ verdict, path, message }) => `${verdict}: ${path} ${message}`,
  )

describe('a change of a schema is judged by its direction', () => {
  /** `request` and `response` are the changes found in either direction. */
  const rows: { name: string; before: Schema; after: Schema; request: string; response: string }[] = [
    {
      name: 'nothing changes',
      before: object({ a: text }, ['a']),
      after: object({ a: text }, ['a']),
      request: '',
      response: '',
    },
    {
      name: 'a new optional field',
      before: object({}),
      after: object({ a: text }),
      request: 'fine: a is new',
      response: 'fine: a is new',
    },
    {
      name: 'a new required field',
      before: object({}),
      after: object({ a: text }, ['a']),
      request: 'breaking: a is new and required',
      response: 'fine: a is new',
    },
    {
      name: 'a new field where no other was allowed',
      before: closed(object({})),
      after: closed(object({ a: text })),
      request: 'fine: a is new',
      response: 'risky: a is new, where no other field was allowed',
    },
    {
      name: 'a field that was always there is gone',
      before: object({ a: text }, ['a']),
      after: object({}),
      request: 'risky: a is ignored now',
      response: 'breaking: a is gone',
    },
    {
      name: 'an optional field is gone',
      before: object({ a: text }),
      after: object({}),
      request: 'risky: a is ignored now',
      response: 'risky: a is gone',
    },
    {
      name: 'a field is refused',
      before: object({ a: text }),
      after: closed(object({})),
      request: 'breaking: a is refused now; breaking:  other fields are no longer free',
      response: 'risky: a is gone; fine:  other fields are no longer free',
    },
    {
      name: 'a field becomes required',
      before: object({ a: text }),
      after: object({ a: text }, ['a']),
      request: 'breaking: a is required now',
      response: 'fine: a is required now',
    },
    {
      name: 'a field becomes optional',
      before: object({ a: text }, ['a']),
      after: object({ a: text }),
      request: 'fine: a is no longer required',
      response: 'breaking: a may be missing now',
    },
    {
      name: 'null becomes possible',
      before: text,
      after: { type: ['string', 'null'] },
      request: 'fine:  may be null now',
      response: 'breaking:  may be null now',
    },
    {
      name: 'null in the way of OpenAPI 3.0',
      before: text,
      after: { type: 'string', nullable: true },
      request: 'fine:  may be null now',
      response: 'breaking:  may be null now',
    },
    {
      name: 'null is over',
      before: { anyOf: [text, { type: 'null' }] },
      after: text,
      request: 'breaking:  may no longer be null',
      response: 'fine:  may no longer be null',
    },
    {
      name: 'another type',
      before: text,
      after: { type: 'number' },
      request: 'breaking:  string became number',
      response: 'breaking:  string became number',
    },
    {
      name: 'whole numbers get fractions',
      before: { type: 'integer' },
      after: { type: 'number' },
      request: 'fine:  integer became number',
      response: 'breaking:  integer became number',
    },
    {
      name: 'fractions are over',
      before: { type: 'number' },
      after: { type: 'integer' },
      request: 'breaking:  number became integer',
      response: 'fine:  number became integer',
    },
    {
      name: 'a second type',
      before: text,
      after: { anyOf: [text, { type: 'number' }] },
      request: 'fine:  may be a number now',
      response: 'breaking:  may be a number now',
    },
    {
      name: 'a type of two is gone',
      before: { type: ['string', 'number'] },
      after: text,
      request: 'breaking:  may no longer be a number',
      response: 'fine:  may no longer be a number',
    },
    {
      name: 'a new value',
      before: { enum: ['a'], type: 'string' },
      after: { enum: ['a', 'b'], type: 'string' },
      request: 'fine:  the value b is new',
      response: 'risky:  the value b is new',
    },
    {
      name: 'a value is gone',
      before: { enum: ['a', 'b'] },
      after: { enum: ['a'] },
      request: 'breaking:  the value b is gone',
      response: 'fine:  the value b is gone',
    },
    {
      name: 'values become free',
      before: { const: 'a' },
      after: {},
      request: 'fine:  may have any value now',
      response: 'risky:  may have any value now',
    },
    {
      name: 'values are listed',
      before: text,
      after: { ...text, enum: ['a'] },
      request: 'breaking:  only a are left of all values',
      response: 'fine:  only a are left of all values',
    },
    {
      name: 'a lower limit',
      before: { ...text, maxLength: 30 },
      after: { ...text, maxLength: 20 },
      request: 'breaking:  maxLength 30 became 20',
      response: 'fine:  maxLength 30 became 20',
    },
    {
      name: 'a higher limit',
      before: { type: 'number', maximum: 5 },
      after: { type: 'number', maximum: 9 },
      request: 'fine:  maximum 5 became 9',
      response: 'risky:  maximum 5 became 9',
    },
    {
      name: 'a new minimum',
      before: { type: 'array' },
      after: { type: 'array', minItems: 1 },
      request: 'breaking:  minItems none became 1',
      response: 'fine:  minItems none became 1',
    },
    {
      name: 'a new pattern',
      before: text,
      after: { ...text, pattern: '^a' },
      request: 'breaking:  must match the pattern ^a now',
      response: 'fine:  must match the pattern ^a now',
    },
    {
      name: 'a pattern is over',
      before: { ...text, format: 'email' },
      after: text,
      request: 'fine:  needs no longer match the format email',
      response: 'risky:  needs no longer match the format email',
    },
    {
      name: 'another pattern',
      before: { ...text, pattern: '^a' },
      after: { ...text, pattern: '^b' },
      request: 'risky:  the pattern ^a became ^b',
      response: 'risky:  the pattern ^a became ^b',
    },
    {
      name: 'another default',
      before: { ...text, default: 'a' },
      after: { ...text, default: 'b' },
      request: 'risky:  another value is used when it is left out',
      response: '',
    },
    {
      name: 'a field deep in a list',
      before: { type: 'array', items: object({ a: object({ b: text }, ['b']) }, ['a']) },
      after: { type: 'array', items: object({ a: object({}) }, ['a']) },
      request: 'risky: [].a.b is ignored now',
      response: 'breaking: [].a.b is gone',
    },
    {
      name: 'values of a record',
      before: { type: 'object', additionalProperties: text },
      after: { type: 'object', additionalProperties: { type: 'number' } },
      request: 'breaking: .* string became number',
      response: 'breaking: .* string became number',
    },
    {
      name: 'a form of several is gone',
      before: { anyOf: [object({ kind: { const: 'a' } }), object({ kind: { const: 'b' } })] },
      after: { anyOf: [object({ kind: { const: 'a' } })] },
      request: 'breaking:  may no longer be an object kind="b"',
      response: 'fine:  may no longer be an object kind="b"',
    },
    {
      name: 'a field of one form of several',
      before: { oneOf: [object({ kind: { const: 'a' }, x: text }, ['x']), object({ kind: { const: 'b' } })] },
      after: { oneOf: [object({ kind: { const: 'a' } }), object({ kind: { const: 'b' } })] },
      request: 'risky: x is ignored now',
      response: 'breaking: x is gone',
    },
    {
      name: 'a field of a part',
      before: { allOf: [object({ a: text }, ['a']), object({ b: text })] },
      after: { allOf: [object({ b: text })] },
      request: 'risky: a is ignored now',
      response: 'breaking: a is gone',
    },
  ]

  test('each change between two schemas gets the verdict of its row', async () => {
    expect(
      await collectFailures(
        rows,
        ({ name }) => name,
        ({ before, after, request, response }) => {
          expect([judge(before, after, 'request').join('; '), judge(before, after, 'response').join('; ')]).toEqual([request, response])
        },
      ),
    ).toEqual([])
    expect(rows.length).toBeGreaterThan(30)
  })
})

const documentOf = (operation: object, path = '/tags/{id}/', components = {}) =>
  ({ openapi: '3.1.0', paths: { [path]: { get: operation } }, components }) as Document

describe('a change of an endpoint is judged', () => {
  const answer = (schema: Schema) => ({ responses: { 200: { content: { 'application/json': { schema } } } } })
  const query = (required: boolean, schema: Schema = text) => ({ parameters: [{ name: 'q', in: 'query', required, schema }] })
  const body = (required: boolean) => ({ requestBody: { required, content: { 'application/json': { schema: text } } } })
  const codes = (...names: string[]) => ({
    responses: {
      400: { content: { 'application/json': { examples: Object.fromEntries(names.map((name) => [name, { $ref: `#/${name}` }])) } } },
    },
  })
  const rows: { name: string; before: object; after: object; expected: string }[] = [
    {
      name: 'a new query parameter',
      before: {},
      after: query(false),
      expected: 'fine query q is new',
    },
    {
      name: 'a required query parameter',
      before: {},
      after: query(true),
      expected: 'breaking query q is new and required',
    },
    {
      name: 'a query parameter becomes required',
      before: query(false),
      after: query(true),
      expected: 'breaking query q is required now',
    },
    {
      name: 'a query parameter is gone',
      before: query(true),
      after: {},
      expected: 'risky query q is ignored now',
    },
    {
      name: 'a query parameter is narrower',
      before: query(false),
      after: query(false, { ...text, maxLength: 3 }),
      expected: 'breaking query q maxLength none became 3',
    },
    {
      name: 'a body is needed',
      before: {},
      after: body(true),
      expected: 'breaking request  needs a body now',
    },
    {
      name: 'a body may be left out',
      before: body(true),
      after: body(false),
      expected: 'fine request  is no longer required',
    },
    {
      name: 'a body is ignored',
      before: body(false),
      after: {},
      expected: 'risky request  the body is ignored now',
    },
    {
      name: 'a response loses a field',
      before: answer(object({ a: text }, ['a'])),
      after: answer(object({})),
      expected: 'breaking response 200 a is gone',
    },
    {
      name: 'another success',
      before: answer(text),
      after: { responses: { 204: {} } },
      expected: 'breaking response 200  is gone; risky response 204  is new',
    },
    {
      name: 'a new error',
      before: codes('bad'),
      after: codes('bad', 'worse'),
      expected: 'risky response 400  the error worse is new',
    },
    {
      name: 'an error is over',
      before: codes('bad', 'worse'),
      after: codes('bad'),
      expected: 'fine response 400  the error worse is gone',
    },
    {
      name: 'a sign-in',
      before: {},
      after: { security: [{ bearer: [] }] },
      expected: 'breaking access  needs a sign-in now',
    },
    {
      name: 'a way to sign in is over',
      before: { security: [{ bearer: [] }, { cookie: [] }] },
      after: { security: [{ bearer: [] }] },
      expected: 'breaking access  no longer takes cookie',
    },
    {
      name: 'a role less',
      before: { 'x-roles': ['pro', 'user'] },
      after: { 'x-roles': ['user'] },
      expected: 'breaking access  is no longer for the role pro',
    },
    {
      name: 'it is deprecated',
      before: {},
      after: { deprecated: true },
      expected: 'risky endpoint  is deprecated',
    },
  ]

  test('each change between two endpoints gets the verdict of its row', async () => {
    expect(
      await collectFailures(
        rows,
        ({ name }) => name,
        ({ before, after, expected }) => {
          const changes = compareDocuments(documentOf(before), documentOf(after))
          expect(changes.map(({ verdict, part, path, message }) => `${verdict} ${part} ${path} ${message}`).join('; ')).toBe(expected)
        },
      ),
    ).toEqual([])
  })

  test('removing an endpoint breaks its clients, adding one does not, and the name of a path parameter does not matter', () => {
    const [before, after] = [documentOf({}, '/tags/{id}/'), documentOf({}, '/tags/')]
    expect(compareDocuments(before, after)).toMatchObject([
      { endpoint: 'GET /tags/', verdict: 'fine', message: 'is new' },
      { endpoint: 'GET /tags/{id}/', verdict: 'breaking', message: 'is gone' },
    ])
    expect(compareDocuments(before, documentOf({}, '/tags/{tag}/'))).toEqual([])
  })

  test('references are resolved within their own document, even if a schema contains itself', () => {
    const answered = answer({ $ref: '#/components/schemas/Node' })
    const node = (...required: string[]) => ({
      schemas: { Node: object({ name: text, children: { type: 'array', items: { $ref: '#/components/schemas/Node' } } }, required) },
    })
    const changes = compareDocuments(documentOf(answered, '/', node('name')), documentOf(answered, '/', node()))
    expect(changes).toMatchObject([{ verdict: 'breaking', path: 'name', message: 'may be missing now' }])
  })

  test('the contract of this repository equals itself', () => {
    const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8'))
    expect(compareDocuments(document, structuredClone(document))).toEqual([])
  })
})

describe('whereabouts contracts diff', () => {
  const earlier = documentOf({ responses: { 200: { content: { 'application/json': { schema: object({ a: text, b: text }, ['a']) } } } } })
  const later = documentOf({ responses: { 200: { content: { 'application/json': { schema: object({ c: text }) } } } } })

  async function diff(argv: string[], changes: Parameters<typeof createTestIo>[0] = {}, own?: string) {
    const { io, printed } = createTestIo(changes)
    const code = await runDiff(argv, io, own)
    return { code, ...printed }
  }
  const twoFiles = () => {
    const files = createTempFolder()
    const [from, to] = [files.at('from.json'), files.at('to.json')]
    writeFileSync(from, JSON.stringify(earlier))
    writeFileSync(to, JSON.stringify(later))
    return { from, to, files, [Symbol.dispose]: () => files[Symbol.dispose]() }
  }

  test('the command prints breaking changes first, counts harmless ones, and exits with 1', async () => {
    using at = twoFiles()
    expect(await diff([at.from, '--to', at.to])).toEqual({
      code: 1,
      err: '',
      out: `breaking  GET /tags/{id}/  response 200 a: is gone
risky     GET /tags/{id}/  response 200 b: is gone
1 breaking, 1 risky, 1 fine.
`,
    })
    expect((await diff([at.from, '--to', at.to, '--all'])).out).toContain('fine      GET /tags/{id}/  response 200 c: is new')
    expect(await diff([at.from, '--to', at.from])).toMatchObject({ code: 0, out: 'No change.\n' })
  })

  test('the command compares with the contract of this version unless another document is named', async () => {
    using at = twoFiles()
    expect(await diff([at.from], {}, at.to)).toMatchObject({ code: 1, out: expect.stringContaining('response 200 a: is gone') })
    expect(await diff([at.from, '--path', at.from], {}, at.to)).toMatchObject({ code: 0, out: 'No change.\n' })
  })

  test('the command writes Markdown for a comment, JUnit for a report, and JSON', async () => {
    using at = twoFiles()
    const markdown = (await diff([at.from, '--to', at.to, '--format', 'markdown'])).out
    expect(markdown).toContain('| **breaking** | `GET /tags/{id}/` | response 200 a | is gone |')
    const junit = (await diff([at.from, '--to', at.to, '--format', 'junit'])).out
    expect(junit).toContain('tests="2" failures="1"')
    expect(junit).toContain('<failure message="response 200 a: is gone"/>')
    expect((await diff([at.from, '--to', at.from, '--format', 'junit'])).out).toContain('tests="1" failures="0"')
    expect(JSON.parse((await diff([at.from, '--to', at.to, '--format', 'json'])).out).changes).toHaveLength(2)
  })

  test('the command reads a document from a git ref and from a URL', async () => {
    using files = createTempFolder()
    mkdirSync(files.at('docs'), { recursive: true })
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', files.at('.'), '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { stdio: 'ignore' })
    writeFileSync(files.at('docs/openapi.json'), JSON.stringify(earlier))
    git('init')
    git('add', '.')
    git('commit', '-m', 'first')
    writeFileSync(files.at('docs/openapi.json'), JSON.stringify(later))
    const before = process.env.GIT_DIR
    process.env.GIT_DIR = files.at('.git')
    try {
      expect(await diff(['HEAD', '--path', 'docs/openapi.json', '--to', files.at('docs/openapi.json')])).toMatchObject({ code: 1 })
    } finally {
      if (before === undefined) delete process.env.GIT_DIR
      else process.env.GIT_DIR = before
    }
    const fetch = (async (url: string) =>
      url.endsWith('.json') ? Response.json(earlier) : new Response('', { status: 404 })) as typeof globalThis.fetch
    expect(await diff(['https://api.example.com/openapi.json', '--to', files.at('docs/openapi.json')], { fetch })).toMatchObject({
      code: 1,
    })
    expect(await diff(['https://api.example.com/'], { fetch })).toMatchObject({ code: 2, err: expect.stringContaining('answered 404') })
  })

  test('the command says in a line why it cannot run, and exits with 2', async () => {
    using at = twoFiles()
    writeFileSync(at.files.at('text.json'), 'openapi: 3.1.0')
    const rows: [string[], string][] = [
      [[], 'one earlier version is needed'],
      [[at.from, at.to], 'one earlier version is needed'],
      [['no-such-ref'], 'is no file, and no git ref'],
      [[at.files.at('text.json')], 'is not an OpenAPI document in JSON'],
      [[at.from, '--format', 'xml'], '--format takes one of table, markdown, junit, json'],
      [[at.from, '--frob'], '--help lists all flags'],
    ]
    for (const [argv, reason] of rows) expect(await diff(argv)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(reason) })
    expect(await diff(['--help'])).toMatchObject({ code: 0, out: expect.stringContaining('contracts diff FROM') })
  })
})

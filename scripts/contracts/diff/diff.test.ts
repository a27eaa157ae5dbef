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
  /** name, before, after, verdict in a request, verdict in a response */
  const rows: [string, Schema, Schema, string, string][] = [
    ['nothing changes', object({ a: text }, ['a']), object({ a: text }, ['a']), '', ''],
    ['a new optional field', object({}), object({ a: text }), 'fine: a is new', 'fine: a is new'],
    ['a new required field', object({}), object({ a: text }, ['a']), 'breaking: a is new and required', 'fine: a is new'],
    [
      'a new field where no other was allowed',
      closed(object({})),
      closed(object({ a: text })),
      'fine: a is new',
      'risky: a is new, where no other field was allowed',
    ],
    ['a field that was always there is gone', object({ a: text }, ['a']), object({}), 'risky: a is ignored now', 'breaking: a is gone'],
    ['an optional field is gone', object({ a: text }), object({}), 'risky: a is ignored now', 'risky: a is gone'],
    [
      'a field is refused',
      object({ a: text }),
      closed(object({})),
      'breaking: a is refused now; breaking:  other fields are no longer free',
      'risky: a is gone; fine:  other fields are no longer free',
    ],
    ['a field becomes required', object({ a: text }), object({ a: text }, ['a']), 'breaking: a is required now', 'fine: a is required now'],
    [
      'a field becomes optional',
      object({ a: text }, ['a']),
      object({ a: text }),
      'fine: a is no longer required',
      'breaking: a may be missing now',
    ],
    ['null becomes possible', text, { type: ['string', 'null'] }, 'fine:  may be null now', 'breaking:  may be null now'],
    ['null in the way of OpenAPI 3.0', text, { type: 'string', nullable: true }, 'fine:  may be null now', 'breaking:  may be null now'],
    ['null is over', { anyOf: [text, { type: 'null' }] }, text, 'breaking:  may no longer be null', 'fine:  may no longer be null'],
    ['another type', text, { type: 'number' }, 'breaking:  string became number', 'breaking:  string became number'],
    [
      'whole numbers get fractions',
      { type: 'integer' },
      { type: 'number' },
      'fine:  integer became number',
      'breaking:  integer became number',
    ],
    ['fractions are over', { type: 'number' }, { type: 'integer' }, 'breaking:  number became integer', 'fine:  number became integer'],
    ['a second type', text, { anyOf: [text, { type: 'number' }] }, 'fine:  may be a number now', 'breaking:  may be a number now'],
    [
      'a type of two is gone',
      { type: ['string', 'number'] },
      text,
      'breaking:  may no longer be a number',
      'fine:  may no longer be a number',
    ],
    [
      'a new value',
      { enum: ['a'], type: 'string' },
      { enum: ['a', 'b'], type: 'string' },
      'fine:  the value b is new',
      'risky:  the value b is new',
    ],
    ['a value is gone', { enum: ['a', 'b'] }, { enum: ['a'] }, 'breaking:  the value b is gone', 'fine:  the value b is gone'],
    ['values become free', { const: 'a' }, {}, 'fine:  may have any value now', 'risky:  may have any value now'],
    [
      'values are listed',
      text,
      { ...text, enum: ['a'] },
      'breaking:  only a are left of all values',
      'fine:  only a are left of all values',
    ],
    [
      'a lower limit',
      { ...text, maxLength: 30 },
      { ...text, maxLength: 20 },
      'breaking:  maxLength 30 became 20',
      'fine:  maxLength 30 became 20',
    ],
    [
      'a higher limit',
      { type: 'number', maximum: 5 },
      { type: 'number', maximum: 9 },
      'fine:  maximum 5 became 9',
      'risky:  maximum 5 became 9',
    ],
    [
      'a new minimum',
      { type: 'array' },
      { type: 'array', minItems: 1 },
      'breaking:  minItems none became 1',
      'fine:  minItems none became 1',
    ],
    ['a new pattern', text, { ...text, pattern: '^a' }, 'breaking:  must match the pattern ^a now', 'fine:  must match the pattern ^a now'],
    [
      'a pattern is over',
      { ...text, format: 'email' },
      text,
      'fine:  needs no longer match the format email',
      'risky:  needs no longer match the format email',
    ],
    [
      'another pattern',
      { ...text, pattern: '^a' },
      { ...text, pattern: '^b' },
      'risky:  the pattern ^a became ^b',
      'risky:  the pattern ^a became ^b',
    ],
    ['another default', { ...text, default: 'a' }, { ...text, default: 'b' }, 'risky:  another value is used when it is left out', ''],
    [
      'a field deep in a list',
      { type: 'array', items: object({ a: object({ b: text }, ['b']) }, ['a']) },
      { type: 'array', items: object({ a: object({}) }, ['a']) },
      'risky: [].a.b is ignored now',
      'breaking: [].a.b is gone',
    ],
    [
      'values of a record',
      { type: 'object', additionalProperties: text },
      { type: 'object', additionalProperties: { type: 'number' } },
      'breaking: .* string became number',
      'breaking: .* string became number',
    ],
    [
      'a form of several is gone',
      { anyOf: [object({ kind: { const: 'a' } }), object({ kind: { const: 'b' } })] },
      { anyOf: [object({ kind: { const: 'a' } })] },
      'breaking:  may no longer be an object kind="b"',
      'fine:  may no longer be an object kind="b"',
    ],
    [
      'a field of one form of several',
      { oneOf: [object({ kind: { const: 'a' }, x: text }, ['x']), object({ kind: { const: 'b' } })] },
      { oneOf: [object({ kind: { const: 'a' } }), object({ kind: { const: 'b' } })] },
      'risky: x is ignored now',
      'breaking: x is gone',
    ],
    [
      'a field of a part',
      { allOf: [object({ a: text }, ['a']), object({ b: text })] },
      { allOf: [object({ b: text })] },
      'risky: a is ignored now',
      'breaking: a is gone',
    ],
  ]

  test('every row of the table is judged as it says', async () => {
    expect(
      await collectFailures(
        rows,
        ([name]) => name,
        ([, before, after, request, response]) => {
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
  const rows: [string, object, object, string][] = [
    ['a new query parameter', {}, query(false), 'fine query q is new'],
    ['a required query parameter', {}, query(true), 'breaking query q is new and required'],
    ['a query parameter becomes required', query(false), query(true), 'breaking query q is required now'],
    ['a query parameter is gone', query(true), {}, 'risky query q is ignored now'],
    ['a query parameter is narrower', query(false), query(false, { ...text, maxLength: 3 }), 'breaking query q maxLength none became 3'],
    ['a body is needed', {}, body(true), 'breaking request  needs a body now'],
    ['a body may be left out', body(true), body(false), 'fine request  is no longer required'],
    ['a body is ignored', body(false), {}, 'risky request  the body is ignored now'],
    ['a response loses a field', answer(object({ a: text }, ['a'])), answer(object({})), 'breaking response 200 a is gone'],
    ['another success', answer(text), { responses: { 204: {} } }, 'breaking response 200  is gone; risky response 204  is new'],
    ['a new error', codes('bad'), codes('bad', 'worse'), 'risky response 400  the error worse is new'],
    ['an error is over', codes('bad', 'worse'), codes('bad'), 'fine response 400  the error worse is gone'],
    ['a sign-in', {}, { security: [{ bearer: [] }] }, 'breaking access  needs a sign-in now'],
    [
      'a way to sign in is over',
      { security: [{ bearer: [] }, { cookie: [] }] },
      { security: [{ bearer: [] }] },
      'breaking access  no longer takes cookie',
    ],
    ['a role less', { 'x-roles': ['pro', 'user'] }, { 'x-roles': ['user'] }, 'breaking access  is no longer for the role pro'],
    ['it is deprecated', {}, { deprecated: true }, 'risky endpoint  is deprecated'],
  ]

  test('every row of the table is judged as it says', async () => {
    expect(
      await collectFailures(
        rows,
        ([name]) => name,
        ([, before, after, expected]) => {
          const changes = compareDocuments(documentOf(before), documentOf(after))
          expect(changes.map(({ verdict, part, path, message }) => `${verdict} ${part} ${path} ${message}`).join('; ')).toBe(expected)
        },
      ),
    ).toEqual([])
  })

  test('an endpoint that is gone breaks its clients, a new one does not, and the name of a path parameter does not matter', () => {
    const [before, after] = [documentOf({}, '/tags/{id}/'), documentOf({}, '/tags/')]
    expect(compareDocuments(before, after)).toMatchObject([
      { endpoint: 'GET /tags/', verdict: 'fine', message: 'is new' },
      { endpoint: 'GET /tags/{id}/', verdict: 'breaking', message: 'is gone' },
    ])
    expect(compareDocuments(before, documentOf({}, '/tags/{tag}/'))).toEqual([])
  })

  test('references are followed in the document they stand in, also where a schema contains itself', () => {
    const answered = answer({ $ref: '#/components/schemas/Node' })
    const node = (...required: string[]) => ({
      schemas: { Node: object({ name: text, children: { type: 'array', items: { $ref: '#/components/schemas/Node' } } }, required) },
    })
    const changes = compareDocuments(documentOf(answered, '/', node('name')), documentOf(answered, '/', node()))
    expect(changes).toMatchObject([{ verdict: 'breaking', path: 'name', message: 'may be missing now' }])
  })

  test('the contract of this repository is the same as itself', () => {
    const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8'))
    expect(compareDocuments(document, structuredClone(document))).toEqual([])
  })
})

describe('whereabouts contracts diff', () => {
  const earlier = documentOf({ responses: { 200: { content: { 'application/json': { schema: object({ a: text, b: text }, ['a']) } } } } })
  const later = documentOf({ responses: { 200: { content: { 'application/json': { schema: object({ c: text }) } } } } })

  async function diff(argv: string[], changes: Parameters<typeof createTestIo>[0] = {}) {
    const { io, printed } = createTestIo(changes)
    const code = await runDiff(argv, io)
    return { code, ...printed }
  }
  const twoFiles = () => {
    const files = createTempFolder()
    const [from, to] = [files.at('from.json'), files.at('to.json')]
    writeFileSync(from, JSON.stringify(earlier))
    writeFileSync(to, JSON.stringify(later))
    return { from, to, files, [Symbol.dispose]: () => files[Symbol.dispose]() }
  }

  test('prints breaking changes first, counts harmless ones, and exits with 1', async () => {
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

  test('writes Markdown for a comment, JUnit for a report, and JSON', async () => {
    using at = twoFiles()
    const markdown = (await diff([at.from, '--to', at.to, '--format', 'markdown'])).out
    expect(markdown).toContain('| **breaking** | `GET /tags/{id}/` | response 200 a | is gone |')
    const junit = (await diff([at.from, '--to', at.to, '--format', 'junit'])).out
    expect(junit).toContain('tests="2" failures="1"')
    expect(junit).toContain('<failure message="response 200 a: is gone"/>')
    expect((await diff([at.from, '--to', at.from, '--format', 'junit'])).out).toContain('tests="1" failures="0"')
    expect(JSON.parse((await diff([at.from, '--to', at.to, '--format', 'json'])).out).changes).toHaveLength(2)
  })

  test('reads a document from a git ref and from a URL', async () => {
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

  test('says in a line why it cannot run, and exits with 2', async () => {
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

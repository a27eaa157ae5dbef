import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { type Exchange, findBreaches } from './breaches.ts'
import { file, nothing, type Route } from './route.ts'

const route = {
  method: 'POST',
  path: '/things/',
  summary: 'Makes things',
  access: 'public',
  query: z.object({ page: z.optional(z.coerce.number()) }),
  body: z.object({ name: z.string() }),
  response: { 201: z.array(z.object({ id: z.int(), at: z.object({ lat: z.number() }) })) },
  errors: ['in_use'],
  safety: 'reversible',
  provenance: 'assumed',
} satisfies Route

const good: Exchange = {
  method: 'POST',
  query: { page: '1' },
  body: { name: 'Rex' },
  status: 201,
  contentType: 'application/json',
  answer: [{ id: 1, at: { lat: 2 } }],
}
const found = (change: Partial<Exchange>, of: Route = route) =>
  findBreaches(of, { ...good, ...change }).map(({ side, kind, path }) => `${side} ${kind} ${path}`)

test('an exchange that follows its contract has no breaches', () => {
  expect(found({})).toEqual([])
  expect(found({ status: 409, answer: { detail: 'in use', code: 'in_use', anything: 1 } })).toEqual([])
})

test('a request is checked against the contract unless it was rejected before its body was parsed', () => {
  expect(found({ body: { name: 7 }, query: { page: 'x' } })).toEqual(['request invalid query.page', 'request invalid body.name'])
  expect(found({ body: { name: 'Rex', frist_name: 'R' } })).toEqual(['request unknown body.frist_name'])
  expect(found({ body: undefined })).toEqual(['request invalid body.name'])
  expect(found({ body: undefined, status: 429, answer: { detail: '', code: 'throttled' } })).toEqual([])
})

test('a response is checked against the contract, and each difference is reported once', () => {
  expect(
    found({
      answer: [
        { id: '1', at: {} },
        { id: '2', at: {} },
      ],
    }),
  ).toEqual(['response invalid *.id', 'response invalid *.at.lat'])
  expect(found({ answer: [1, 2].map((id) => ({ id, at: { lat: 1, alt: 3 }, new: true })) })).toEqual([
    'response unknown *.at.alt',
    'response unknown *.new',
  ])
  expect(found({ answer: '<html>' })).toEqual(['response invalid '])
})

test('statuses and error codes must belong to the endpoint', () => {
  expect(found({ status: 200 })).toEqual(['response invalid status'])
  expect(found({ status: 502, answer: '<html>' })).toEqual(['response invalid '])
  expect(found({ status: 404, answer: { detail: '', code: 'not_found' } })).toEqual(['response invalid code'])
  expect(found({ status: 400, answer: { detail: '', code: 'in_use' } })).toEqual(['response invalid status'])
})

test('a file must have its content type, and an empty response no body', () => {
  const csv: Route = { ...route, response: { 200: file('text/csv') } }
  expect(found({ status: 200, contentType: 'text/csv; charset=utf-8', answer: 'a;b' }, csv)).toEqual([])
  expect(found({ status: 200, contentType: 'text/html' }, csv)).toEqual(['response invalid content-type'])
  const either: Route = { ...route, response: { 200: file('application/gpx+xml', 'text/csv') } }
  expect(found({ status: 200, contentType: 'text/csv', answer: 'a;b' }, either)).toEqual([])
  expect(found({ status: 200, contentType: 'text/html' }, either)).toEqual(['response invalid content-type'])
  const removal: Route = { ...route, response: { 204: nothing } }
  expect(found({ status: 204, answer: '' }, removal)).toEqual([])
  expect(found({ status: 204, answer: {} }, removal)).toEqual(['response invalid '])
})

test('a 304 response needs no body', () => {
  expect(found({ method: 'GET', status: 304, answer: '' })).toEqual([])
})

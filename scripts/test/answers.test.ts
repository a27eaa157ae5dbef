import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { Contract } from '#contracts/lib/route.ts'
import { findUnseenResponses, listDocumentedResponses } from './answers.ts'

const things = {
  rename: {
    method: 'PATCH',
    path: '/things/:id/',
    summary: 'Renames a thing of somebody',
    access: ['user'],
    params: z.object({ id: z.string() }),
    response: { 200: z.object({}) },
    errors: ['too_many_links'],
    safety: 'reversible',
    provenance: 'assumed',
  },
} as const satisfies Contract

test('each success and each error of an endpoint is documented', () => {
  const lines = listDocumentedResponses({ things })
  expect(lines).toContain('PATCH /things/:id/ 200 -')
  expect(lines).toContain('PATCH /things/:id/ 409 too_many_links')
  expect(lines).toContain('PATCH /things/:id/ 404 not_found')
  expect(lines.filter((line) => /throttled|server_error|unavailable/.test(line))).toEqual([])
})

test('responses that no test has seen are listed', () => {
  const [first, ...others] = listDocumentedResponses({ things })
  expect(findUnseenResponses({ things }, new Set(others))).toEqual([first])
  expect(findUnseenResponses({ things }, new Set([first!, ...others]))).toEqual([])
})

import * as z from 'zod/mini'
import { Latitude, Longitude } from '#contracts/lib/common.ts'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { Text } from '#contracts/rules/reading/text-fields.ts'

/** Suggestions begin with `minLength` letters. */
export const ADDRESS_SEARCH = { minLength: 3, results: 5, perMinute: 60 } as const

export const FoundAddress = z.object({ label: z.string(), lat: Latitude, lng: Longitude })
export type FoundAddress = z.infer<typeof FoundAddress>

const Degrees = (limit: number) => z.coerce.number().check(z.minimum(-limit), z.maximum(limit))

/** Finds addresses by their beginning, and the address of a point. */
export const addresses = {
  search: {
    method: 'GET',
    path: '/addresses/',
    summary: `Finds at most ${ADDRESS_SEARCH.results} addresses for a text that is still being typed`,
    access: rights.changePlaces,
    scope: 'places:read',
    showsPositions: false,
    query: z.object({ q: Text(ADDRESS_SEARCH.minLength, TEXT_LENGTH.address) }),
    response: { 200: z.array(FoundAddress) },
    safety: 'read',
    provenance: 'ours',
  },
  nearest: {
    method: 'GET',
    path: '/addresses/nearest/',
    summary: 'Finds the address of a point; null when there is none within 400 m',
    access: rights.changePlaces,
    scope: 'places:read',
    query: z.object({ lat: Degrees(90), lng: Degrees(180) }),
    response: { 200: z.object({ label: z.nullable(z.string()) }) },
    safety: 'read',
    provenance: 'ours',
  },
} as const satisfies Contract

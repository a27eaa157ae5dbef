import * as z from 'zod/mini'
import { Id, IdParams } from '#contracts/lib/common.ts'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { Text } from '#contracts/rules/reading/text-fields.ts'

/** Colours assigned in turn to tags created without one. */
export const TAG_COLORS = [
  '#1f6fb2',
  '#d9622b',
  '#2e7d32',
  '#b3261e',
  '#7b4fb5',
  '#00798c',
  '#b8860b',
  '#6b7280',
  '#c2185b',
  '#6d4c41',
] as const

/** A coloured label; a tracker has at most one. */
export const Tag = z.object({ id: Id, name: z.string(), color: z.string() })
export type Tag = z.infer<typeof Tag>

const Color = z.string().check(z.trim(), z.toLowerCase(), z.regex(/^#[0-9a-f]{6}$/))

const fields = { name: Text(1, TEXT_LENGTH.tagName), color: Color }

const NewTag = z.object({ ...fields, color: z.optional(Color) })

export const tags = {
  list: {
    method: 'GET',
    path: '/tracker_tags/',
    summary: 'Lists the tags of the account by name',
    access: rights.readPlaces,
    scope: 'places:read',
    response: { 200: z.array(Tag) },
    safety: 'read',
    provenance: 'assumed',
  },
  create: {
    method: 'POST',
    path: '/tracker_tags/',
    summary: 'Creates a tag; without a colour it gets an unused one, if there is any',
    access: rights.changePlaces,
    scope: 'places:write',
    body: NewTag,
    response: { 201: Tag },
    errors: ['tag_exists', 'limit_reached'],
    safety: 'reversible',
    provenance: 'assumed',
  },
  update: {
    method: 'PATCH',
    path: '/tracker_tags/:id/',
    summary: 'Changes a tag, also on its trackers; omitted fields keep their value',
    access: rights.changePlaces,
    scope: 'places:write',
    params: IdParams,
    body: z.partial(z.object(fields)),
    response: { 200: Tag },
    errors: ['tag_exists'],
    safety: 'reversible',
    provenance: 'assumed',
  },
  remove: {
    method: 'DELETE',
    path: '/tracker_tags/:id/',
    summary: 'Removes a tag, also from its trackers',
    access: rights.changePlaces,
    scope: 'places:write',
    params: IdParams,
    response: { 200: z.object({ id: Id }) },
    safety: 'destructive',
    provenance: 'assumed',
  },
} as const satisfies Contract

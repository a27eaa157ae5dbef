import * as z from 'zod/mini'
import { IdParams } from '#contracts/lib/common.ts'
import { rights } from '#contracts/lib/rights.ts'
import { type Contract, upload } from '#contracts/lib/route.ts'
import { PHOTO } from '#contracts/limits/photo-limits.ts'
import { TRACKER_ICONS } from '#contracts/rules/tracking/tracker.ts'
import { Device } from './devices.ts'

/** Photo and icon of a tracker. */
export const photos = {
  save: {
    method: 'PUT',
    path: '/devices/:id/photo/',
    summary: 'Saves a photo of a tracker: cropped to a square, encoded as JPEG again, without its metadata',
    access: rights.changeTrackers,
    scope: 'trackers:write',
    showsPositions: true,
    costly: true,
    params: IdParams,
    body: upload('application/octet-stream', PHOTO.maxBytes),
    response: { 200: Device },
    safety: 'reversible',
    provenance: 'ours',
  },
  remove: {
    method: 'DELETE',
    path: '/devices/:id/photo/',
    summary: 'Deletes the photo of a tracker',
    access: rights.changeTrackers,
    scope: 'trackers:write',
    showsPositions: true,
    params: IdParams,
    response: { 200: Device },
    safety: 'destructive',
    provenance: 'ours',
  },
  setIcon: {
    method: 'PUT',
    path: '/devices/:id/icon/',
    summary: 'Gives a tracker an icon of its own, or with null that of its kind',
    access: rights.changeTrackers,
    scope: 'trackers:write',
    showsPositions: true,
    params: IdParams,
    body: z.object({ icon: z.nullable(z.enum(TRACKER_ICONS)) }),
    response: { 200: Device },
    safety: 'reversible',
    provenance: 'ours',
  },
} as const satisfies Contract

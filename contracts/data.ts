import * as z from 'zod/mini'
import { Id, IdParams, Instant, Latitude, Longitude, listed, Whole } from '#contracts/lib/common.ts'
import { rights } from '#contracts/lib/rights.ts'
import { type Contract, file, upload } from '#contracts/lib/route.ts'
import { IMPORTS } from '#contracts/limits/upload-limits.ts'
import { leftOut } from '#contracts/positions.ts'
import { Text } from '#contracts/rules/reading/text-fields.ts'
import { FIX_FAULTS } from '#contracts/rules/tracking/fix.ts'

export const EXPORT_FORMATS = ['gpx', 'kml', 'geojson', 'csv'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]
/** `rec` is the storage of the OwnTracks recorder, `timeline` a Google Timeline of any age. */
const IMPORT_FORMATS = ['gpx', 'kml', 'geojson', 'csv', 'rec', 'timeline', 'tcx', 'fit'] as const
export type ImportFormat = (typeof IMPORT_FORMATS)[number]
/** `preview` has saved nothing; `saving` has saved a part. */
const IMPORT_STATES = ['preview', 'saving', 'saved'] as const
export type ImportState = (typeof IMPORT_STATES)[number]
/** Reasons to skip a position of a file. */
export const IMPORT_FAULTS = ['no_time', 'bad_time', ...FIX_FAULTS, 'bad_coordinates', 'no_fix', 'unreadable'] as const
export type ImportFault = (typeof IMPORT_FAULTS)[number]
/** Reasons to refuse a whole file. */
export const IMPORT_PROBLEMS = [
  ...['unknown_format', 'web_page', 'archive', 'spreadsheet', 'other_takeout'],
  ...['broken', 'forbidden', 'too_deep', 'too_complex', 'too_many', 'empty', 'all_skipped'],
] as const
export type ImportProblem = (typeof IMPORT_PROBLEMS)[number]
/** Faults of a file: it was cut off, or a part of it is corrupt. */
export const IMPORT_DAMAGES = ['ends_early', 'damaged'] as const
export type ImportDamage = (typeof IMPORT_DAMAGES)[number]

/** An import of positions: `saved` of the file's `count` positions have been handled, `added` were new to the tracker. */
export const Import = z.object({
  id: Id,
  filename: z.string(),
  format: listed(IMPORT_FORMATS),
  state: listed(IMPORT_STATES),
  count: z.int(),
  saved: z.int(),
  added: z.int(),
  first: Instant,
  last: Instant,
  created: Instant,
})
export type Import = z.infer<typeof Import>

/** A skipped line of a file; `file` is the name of a file inside an archive. */
export const SkippedLine = z.object({ line: z.int(), reason: listed(IMPORT_FAULTS), file: z.optional(z.string()) })
export type SkippedLine = z.infer<typeof SkippedLine>

/** The contents of a file, before anything is saved. `errors` lists the first skipped lines, `skipped` counts all of them. */
export const ImportPreview = z.object({
  ...Import.shape,
  /** Positions in a second for which the file already has one. */
  repeated: z.int(),
  skipped: z.int(),
  errors: z.array(SkippedLine),
  /** Where the file was cut off or has an unreadable part; null for a complete file. */
  damage: z.optional(z.nullable(z.object({ is: listed(IMPORT_DAMAGES), line: z.int(), file: z.optional(z.string()) }))),
  /** Columns, fields and files of an archive that were ignored. */
  unused: z.optional(z.array(z.string())),
  /** A selection of the positions, for a map. */
  track: z.array(z.object({ lat: Latitude, lng: Longitude })),
})
export type ImportPreview = z.infer<typeof ImportPreview>

const ImportParams = z.object({ id: Whole, import: Whole })

export const EXPORT_TYPES = {
  gpx: 'application/gpx+xml',
  kml: 'application/vnd.google-earth.kml+xml',
  geojson: 'application/geo+json',
  csv: 'text/csv',
} as const satisfies Record<ExportFormat, string>

export const data = {
  export: {
    method: 'GET',
    path: '/devices/:id/tracker_data/export/',
    summary: 'Downloads the positions of a period as GPX 1.1, KML 2.2, GeoJSON or csv; GPX and KML leave out those that look wrong',
    access: rights.readTrackers,
    scope: 'positions:read',
    showsPositions: true,
    costly: true,
    params: IdParams,
    query: z.object({ not_before: leftOut(Instant), not_after: leftOut(Instant), format: z.enum(EXPORT_FORMATS) }),
    response: { 200: file(EXPORT_TYPES.gpx, EXPORT_TYPES.kml, EXPORT_TYPES.geojson, EXPORT_TYPES.csv) },
    errors: ['invalid_period'],
    safety: 'read',
    provenance: 'ours',
  },
  list: {
    method: 'GET',
    path: '/devices/:id/imports/',
    summary: 'Lists the files whose positions were saved for a tracker, newest first',
    access: rights.readTrackers,
    scope: 'positions:read',
    params: IdParams,
    response: { 200: z.array(Import) },
    safety: 'read',
    provenance: 'ours',
  },
  create: {
    method: 'POST',
    path: '/devices/:id/imports/',
    summary: `Reads a file of positions (GPX, KML, TCX, FIT, GeoJSON, csv, OwnTracks, Google Timeline; alone, in a zip or compressed with gzip) and saves none of them; the preview expires after ${IMPORTS.previewMinutes} minutes`,
    access: rights.changeTrackers,
    scope: 'positions:write',
    showsPositions: true,
    costly: true,
    params: IdParams,
    query: z.object({ filename: leftOut(Text(0, IMPORTS.filename)) }),
    body: upload('application/octet-stream', IMPORTS.maxBytes),
    response: { 201: ImportPreview },
    safety: 'reversible',
    provenance: 'ours',
  },
  commit: {
    method: 'POST',
    path: '/devices/:id/imports/:import/commit/',
    summary: `Saves the next ${IMPORTS.positionsPerCall} positions of an import; repeat until its state is \`saved\``,
    access: rights.changeTrackers,
    scope: 'positions:write',
    costly: true,
    params: ImportParams,
    response: { 200: Import },
    safety: 'reversible',
    provenance: 'ours',
  },
  undo: {
    method: 'DELETE',
    path: '/devices/:id/imports/:import/',
    summary: 'Deletes an import with every position that it added',
    access: rights.changeTrackers,
    scope: 'positions:write',
    params: ImportParams,
    response: { 200: z.object({ id: Id }) },
    safety: 'destructive',
    provenance: 'ours',
  },
} as const satisfies Contract

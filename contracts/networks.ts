import * as z from 'zod/mini'
import { Id, IdParams, Instant, Maker, Whole } from '#contracts/lib/common.ts'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { type NumberKind, normalizeNetworkNumber } from '#contracts/rules/reading/network-number.ts'
import { normalizeKey, normalizeLine } from '#contracts/rules/reading/text.ts'
import { Text, Verbatim } from '#contracts/rules/reading/text-fields.ts'

/** The identifiers of a tracker in networks, or null: IMEI, LoRaWAN DevEUI and Sigfox device id. */
export const NetworkNumbers = z.object({ imei: z.nullable(z.string()), dev_eui: z.nullable(z.string()), sigfox: z.nullable(z.string()) })
export type NetworkNumbers = z.infer<typeof NetworkNumbers>

/** Blanks and dashes are dropped; an empty text removes the identifier. */
const numberOf = (kind: NumberKind, shape: string) =>
  z.pipe(
    z.nullable(z.string()),
    z.transform((text, context) => {
      if (text === null || normalizeLine(text) === '') return null
      const value = normalizeNetworkNumber(kind, text)
      if (value !== null) return value
      context.issues.push({ code: 'custom', input: text, message: shape })
      return z.NEVER
    }),
  )

export const NetworkNumbersChange = z.object({
  imei: numberOf('imei', 'Must be 15 digits, the last a check digit'),
  dev_eui: numberOf('dev_eui', 'Must be 16 hexadecimal digits'),
  sigfox: numberOf('sigfox', 'Must be up to 8 hexadecimal digits'),
})

export const networkNumbers = {
  read: {
    method: 'GET',
    path: '/devices/:id/network_numbers/',
    summary: 'Reads the numbers by which networks know a tracker',
    access: rights.readTrackers,
    params: IdParams,
    response: { 200: NetworkNumbers },
    safety: 'read',
    provenance: 'ours',
  },
  save: {
    method: 'PUT',
    path: '/devices/:id/network_numbers/',
    summary: 'Sets the numbers by which networks know a tracker; no two trackers have the same',
    access: rights.changeTrackers,
    params: IdParams,
    body: NetworkNumbersChange,
    response: { 200: NetworkNumbers },
    errors: ['identifier_taken'],
    safety: 'reversible',
    provenance: 'ours',
  },
} as const satisfies Contract

/** A key with which a network reports for all trackers of the account. */
export const NetworkKey = z.object({ id: Id, label: z.string(), created_at: Instant, last_used_at: z.nullable(Instant), created_by: Maker })
export type NetworkKey = z.infer<typeof NetworkKey>

const NetworkUrls = z.object({
  traccar: z.string(),
  chirpstack: z.string(),
  helium: z.string(),
  tts: z.string(),
  thingpark: z.string(),
  sigfox: z.string(),
})

/** The only response with the secret, and the addresses to which each network sends its uplinks. */
export const NewNetworkKey = z.extend(NetworkKey, { key: z.string(), urls: NetworkUrls })
export type NewNetworkKey = z.infer<typeof NewNetworkKey>

export const networkKeys = {
  list: {
    method: 'GET',
    path: '/devices/network_keys/',
    summary: 'Lists the keys with which networks report for the trackers of the account, newest first',
    access: rights.ownTrackers,
    response: { 200: z.array(NetworkKey) },
    safety: 'read',
    provenance: 'ours',
  },
  create: {
    method: 'POST',
    path: '/devices/network_keys/',
    summary: 'Creates a key for a network, at most ten per account; this response is the only one with the key',
    access: rights.ownTrackers,
    recentSignIn: 'always',
    body: z.object({ label: z._default(Text(0, TEXT_LENGTH.keyLabel), '') }),
    response: { 201: NewNetworkKey },
    errors: ['too_many_keys'],
    safety: 'reversible',
    provenance: 'ours',
  },
  remove: {
    method: 'DELETE',
    path: '/devices/network_keys/:key/',
    summary: 'Revokes a key; uplinks sent with it are rejected from then on',
    access: rights.ownTrackers,
    params: z.object({ key: Whole }),
    response: { 200: z.object({ id: Id }) },
    safety: 'destructive',
    provenance: 'ours',
  },
} as const satisfies Contract

/** `server`: URL of the account's network server; null without one. `servers`: those that the operator of the portal allows. */
export const NetworkServer = z.object({ server: z.nullable(z.string()), servers: z.array(z.string()) })
export type NetworkServer = z.infer<typeof NetworkServer>

export const NewNetworkServer = z.object({
  url: z.string().check(z.overwrite(normalizeKey), z.url({ protocol: /^https?$/ }), z.maxLength(TEXT_LENGTH.networkServer)),
  /** Token of the server's API; no response contains it. */
  token: z.string().check(z.overwrite(normalizeKey), z.minLength(1), z.maxLength(TEXT_LENGTH.networkServer)),
})

export const networkServer = {
  read: {
    method: 'GET',
    path: '/devices/network_server/',
    summary: 'Reads the ChirpStack server through which modes are sent to the trackers of the account',
    access: rights.ownTrackers,
    response: { 200: NetworkServer },
    safety: 'read',
    provenance: 'ours',
  },
  save: {
    method: 'PUT',
    path: '/devices/network_server/',
    summary: 'Sets the ChirpStack server of the account and the token of its API; the server must be one that the operator allows',
    access: rights.ownTrackers,
    body: NewNetworkServer,
    response: { 200: NetworkServer },
    safety: 'reversible',
    provenance: 'ours',
  },
  remove: {
    method: 'DELETE',
    path: '/devices/network_server/',
    summary: 'Removes the ChirpStack server; pending modes then apply at the next uplink, as of trackers that fetch them',
    access: rights.ownTrackers,
    response: { 200: NetworkServer },
    safety: 'destructive',
    provenance: 'ours',
  },
} as const satisfies Contract

const Path = z.nullable(Verbatim(1, TEXT_LENGTH.uplinkPath))

/** Dotted paths into the decoded payload, such as `data.0.lat`; null for values found under well-known names. */
export const UplinkMapping = z.object({ latitude: Path, longitude: Path, battery: Path })
export type UplinkMapping = z.infer<typeof UplinkMapping>

/** The mapping, the fields available in stored uplinks, and the number of uplinks. */
export const UplinkMappingState = z.object({
  latitude: z.nullable(z.string()),
  longitude: z.nullable(z.string()),
  battery: z.nullable(z.string()),
  uplinks: z.int(),
  /** The newest uplink with a decoded payload: its numbers by path. */
  newest: z.nullable(z.object({ datetime: Instant, fields: z.record(z.string(), z.number()), has_position: z.boolean() })),
})
export type UplinkMappingState = z.infer<typeof UplinkMappingState>

export const uplinkMappings = {
  read: {
    method: 'GET',
    path: '/devices/:id/uplink_mapping/',
    summary: 'Reads where the decoded payload of a tracker has its values, with the numbers of the newest uplink by path',
    access: rights.readTrackers,
    showsPositions: true,
    params: IdParams,
    response: { 200: UplinkMappingState },
    safety: 'read',
    provenance: 'ours',
  },
  save: {
    method: 'PUT',
    path: '/devices/:id/uplink_mapping/',
    summary: 'Sets where the decoded payload has its values, and reads the uplinks of the last 30 days again',
    access: rights.changeTrackers,
    showsPositions: true,
    params: IdParams,
    body: UplinkMapping.check(
      z.refine(({ latitude, longitude }) => (latitude === null) === (longitude === null), {
        path: ['longitude'],
        error: 'latitude and longitude belong together',
      }),
    ),
    response: { 200: z.extend(UplinkMappingState, { added: z.int() }) },
    safety: 'destructive',
    provenance: 'ours',
  },
} as const satisfies Contract

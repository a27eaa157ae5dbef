import { HOUR_MS } from '#contracts/rules/time.ts'

export type Named = { name: string }

/** A line is split after a silence longer than this, in seconds, as in the history. */
const GAP_SECONDS = (6 * HOUR_MS) / 1000

/** The namespace for values without an element in GPX and KML: precision (metres), event, battery. */
export const OWN_NAMESPACE = 'urn:whereabouts:position:1'

export const isGap = (before: number | null, time: number) => before !== null && time - before > GAP_SECONDS

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

/** Escapes text for XML 1.0 and drops characters that no XML document may contain. */
export const escapeXml = (text: string) =>
  text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')

/** Degrees times 1e7 as a decimal number, never in scientific notation. */
export const formatDegrees = (scaled: number) => (scaled / 1e7).toFixed(7)

/** A second (Unix time) as `2026-03-01T12:00:00Z`. */
export const formatSecond = (time: number) => `${new Date(time * 1000).toISOString().slice(0, 19)}Z`

export const present = (value: number | null | undefined): value is number => value !== null && value !== undefined

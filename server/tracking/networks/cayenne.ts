/** Bytes of a value by type, as in the Cayenne Low Power Payload and its common extensions. */
const SIZES: Record<number, number> = {
  0: 1,
  1: 1,
  2: 2,
  3: 2,
  100: 4,
  101: 2,
  102: 1,
  103: 2,
  104: 1,
  113: 6,
  115: 2,
  116: 2,
  117: 2,
  118: 4,
  120: 1,
  121: 2,
  125: 2,
  128: 2,
  130: 4,
  131: 4,
  132: 2,
  133: 4,
  134: 6,
  135: 3,
  136: 9,
  142: 1,
}
const [TIME, GPS] = [133, 136]

/**
 * Decodes position and time of a Cayenne Low Power Payload. Undefined unless every byte belongs to a known value and one of them is a
 * position: other payloads may begin like one.
 */
export function decodeCayenne(hex: string): { latitude: number; longitude: number; altitude: number; time?: number } | undefined {
  const bytes = Buffer.from(hex, 'hex')
  let position: { latitude: number; longitude: number; altitude: number } | undefined
  let time: number | undefined
  for (let at = 0; at < bytes.length; ) {
    const type = bytes[at + 1] ?? -1
    const size = SIZES[type]
    if (size === undefined || at + 2 + size > bytes.length) return undefined
    if (type === GPS)
      position ??= {
        latitude: bytes.readIntBE(at + 2, 3) / 1e4,
        longitude: bytes.readIntBE(at + 5, 3) / 1e4,
        altitude: bytes.readIntBE(at + 8, 3) / 100,
      }
    if (type === TIME) time ??= bytes.readUInt32BE(at + 2)
    at += 2 + size
  }
  return position && { ...position, ...(time !== undefined && { time }) }
}

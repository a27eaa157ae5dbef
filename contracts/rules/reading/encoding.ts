/** Encodings of text files: UTF-8, what Windows programs and Excel write as "Unicode", and what old Windows programs write. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** The number of bytes that suffices to detect two-byte characters by their zeros. */
const SAMPLE = 64

/** Returns the encoding of a file by its mark, else by the zeros in its first bytes, else by whether they are UTF-8. */
export function detectEncoding(head: Uint8Array): Encoding {
  const [first, second] = head
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  const sample = head.subarray(0, SAMPLE)
  const zeros = [0, 0]
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2]!++
  const [even = 0, odd = 0] = zeros
  if (Math.max(even, odd) * 3 > sample.length) {
    if (even === 0) return 'utf-16le'
    if (odd === 0) return 'utf-16be'
  }
  return isUtf8(head) ? 'utf-8' : 'windows-1252'
}

/** A character cut off at the end of the sample does not count. */
function isUtf8(bytes: Uint8Array) {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

/** The characters that Windows-1252 has in place of control characters. Some versions of Node decode these as ISO 8859-1 does. */
const WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** Decodes a file piece by piece; a call without a piece ends it. Drops a byte order mark. Invalid bytes become U+FFFD. */
export function createTextDecoder(encoding: Encoding = 'utf-8') {
  const decoder = new TextDecoder(encoding)
  const decode = (bytes?: Uint8Array) => decoder.decode(bytes, { stream: bytes !== undefined })
  if (encoding !== 'windows-1252') return decode
  return (bytes?: Uint8Array) => decode(bytes).replace(/[\x80-\x9f]/g, (character) => WINDOWS[character.charCodeAt(0) - 0x80] ?? character)
}

/** Binary files have a zero in their first bytes; only UTF-16 text has one too. */
const HEAD = 16

/** Returns the text of a whole file, or null if it is binary. */
export function decodeText(bytes: Uint8Array): string | null {
  const decode = createTextDecoder(detectEncoding(bytes))
  const text = decode(bytes) + decode()
  return text.slice(0, HEAD).includes('\0') ? null : text
}

/**
 * Signed integers of any safe size in as few bytes as they need. The first byte holds six bits, the sign (64) and whether another byte
 * follows (128); each further byte holds seven bits. -63 to 63 take one byte.
 */

const SIGN = 64
const MORE = 128

/** Writes to a growing buffer; `take` returns its content and empties it. */
export function createVarintWriter() {
  let buffer = new Uint8Array(1 << 14)
  let length = 0
  const reserve = (bytes: number) => {
    if (length + bytes <= buffer.length) return
    const larger = new Uint8Array(Math.max(buffer.length * 2, length + bytes))
    larger.set(buffer.subarray(0, length))
    buffer = larger
  }
  return {
    write(value: number) {
      reserve(8)
      const size = Math.abs(value)
      let rest = Math.floor(size / 64)
      buffer[length++] = (size % 64) | (value < 0 ? SIGN : 0) | (rest > 0 ? MORE : 0)
      while (rest > 0) {
        const part = rest % 128
        rest = Math.floor(rest / 128)
        buffer[length++] = part | (rest > 0 ? MORE : 0)
      }
    },
    writeBytes(bytes: Uint8Array) {
      reserve(bytes.length)
      buffer.set(bytes, length)
      length += bytes.length
    },
    take() {
      const taken = buffer.slice(0, length)
      length = 0
      return taken
    },
  }
}

/** Reads the output of the writer. Throws a RangeError beyond the end, or for more bits than a safe integer has. */
export function createVarintReader(bytes: Uint8Array) {
  let offset = 0
  return {
    read(): number {
      const first = bytes[offset++]
      if (first === undefined) throw new RangeError('The bytes end too early')
      if (first < SIGN) return first
      let size = first & 63
      if (first >= MORE) {
        let byte = MORE
        for (let scale = 64; byte >= MORE; scale *= 128) {
          byte = bytes[offset++] ?? -1
          if (byte < 0 || scale > Number.MAX_SAFE_INTEGER) throw new RangeError('A number has no end')
          size += (byte & 127) * scale
        }
      }
      return first & SIGN ? -size : size
    },
    readBytes(count: number) {
      const taken = bytes.subarray(offset, offset + count)
      if (count < 0 || taken.length < count) throw new RangeError('The bytes end too early')
      offset += count
      return taken
    },
    isAtEnd: () => offset === bytes.length,
  }
}

/** Takes a file piece by piece. Throws a failure as soon as the rest cannot be read. */
export type Reader = { write(bytes: Uint8Array): void; end(): void | Promise<void> }

/** Decodes bytes that may end inside a character. Bytes that are not UTF-8 become U+FFFD, since only names can contain them. */
export function createTextDecoder() {
  const decoder = new TextDecoder('utf-8')
  return (bytes?: Uint8Array) => decoder.decode(bytes, { stream: bytes !== undefined })
}

import { UPLOAD_FIELD } from '#contracts/lib/route.ts'
import { invalid } from '#server/lib/errors.ts'

/** Splits uploaded bytes into lines that include their line end. Rejects bytes that are not UTF-8. */
export async function* splitLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decode = createDecoder()
  let open = ''
  for await (const chunk of bytes) {
    const [first = '', ...others] = decode(chunk).split('\n')
    open += first
    for (const next of others) {
      yield `${open}\n`
      open = next
    }
  }
  open += decode()
  if (open !== '') yield open
}

/** Decodes characters that are split between chunks, and drops a byte order mark. */
function createDecoder() {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  return (chunk?: Uint8Array) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      throw invalid(UPLOAD_FIELD, 'Not UTF-8')
    }
  }
}

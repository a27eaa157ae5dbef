export type StreamEvent = { id: string | null; type: string; data: string }

type Pending = { id: string | null; type: string; data: string[] }

const fresh = (): Pending => ({ id: null, type: 'message', data: [] })

/**
 * Creates a parser that turns the chunks of a stream into server-sent events; an event may span chunks. Comments, which only keep the
 * connection alive, yield nothing.
 */
export function createEventParser() {
  let rest = ''
  let pending = fresh()
  const read = (line: string): StreamEvent | null => {
    if (line === '') {
      const { id, type, data } = pending
      pending = fresh()
      return data.length > 0 ? { id, type, data: data.join('\n') } : null
    }
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'id') pending.id = value
    if (field === 'event') pending.type = value
    if (field === 'data') pending.data.push(value)
    return null
  }
  return (piece: string): StreamEvent[] => {
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    return lines.map(read).filter((event) => event !== null)
  }
}

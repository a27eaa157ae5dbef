import { Transform } from 'node:stream'
import type { Fault } from './faults.ts'

type StreamFault = Extract<Fault, { effect: 'stream' }>

/** Disturbs the events of an event stream; comments, which keep the connection open, pass as they are. */
export function disturbStream({ action, every }: StreamFault) {
  let rest = ''
  let count = 0
  let held: string | undefined
  let isStalled = false
  /** What is sent instead of an event. */
  function replace(event: string): readonly string[] {
    if (event.startsWith(':')) return [event]
    const isDisturbed = ++count % every === 0
    const before = held
    held = undefined
    if (before !== undefined) return [event, before]
    if (!isDisturbed) return [event]
    if (action === 'duplicate') return [event, event]
    if (action === 'reorder') held = event
    if (action === 'stall') isStalled = true
    return []
  }
  return new Transform({
    transform(piece, _, done) {
      const events = (rest + String(piece)).split('\n\n')
      rest = events.pop() ?? ''
      for (const event of events) if (!isStalled) for (const sent of replace(event)) this.push(`${sent}\n\n`)
      done()
    },
  })
}

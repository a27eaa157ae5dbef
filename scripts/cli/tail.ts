import { eventsOf } from '#contracts/mock/connect.ts'
import { EVENT_TYPES } from '#contracts/mock/events.ts'
import { control } from '#contracts/mock/index.ts'
import type { Command } from './command.ts'
import type { Field } from './fields.ts'
import { lineOf } from './line.ts'
import { UsageError } from './usage-error.ts'

const type: Field = { name: 'type', part: 'query', path: ['type'], kind: 'text', isList: true, isRequired: false, choices: EVENT_TYPES }

/** Prints the events of a world until it is stopped, one line each; with `--json` as JSON lines. */
export const tail: Command = {
  words: 'tail',
  about: control.events.watch.summary,
  fields: [type],
  args: [],
  example: 'tail --type request --type mail',
  async run({ query }, { calls, io, isJson }) {
    const wanted = query.type as string[] | undefined
    const strange = wanted?.find((one) => !EVENT_TYPES.some((known) => known === one))
    if (strange) throw new UsageError(`--type takes one of ${EVENT_TYPES.join(', ')}, not “${strange}”`)
    try {
      for await (const event of eventsOf(await calls.events.watch({}, { signal: io.stop }))) {
        if (wanted && !wanted.includes(event.type)) continue
        const data = JSON.parse(event.data) as Record<string, unknown>
        io.out(isJson ? `${JSON.stringify({ type: event.type, ...data })}\n` : lineOf(event.type, data))
      }
    } catch (error) {
      if (!io.stop.aborted) throw error
    }
    return { data: undefined, text: '' }
  },
}

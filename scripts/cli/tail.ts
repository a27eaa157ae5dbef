import { parseEvents } from '#contracts/mock/connect.ts'
import { EVENT_TYPES } from '#contracts/mock/events.ts'
import { control } from '#contracts/mock/index.ts'
import { type Command, UsageError } from './command.ts'
import type { Field } from './fields.ts'

type Data = Record<string, unknown>

const EVENT_FORMATS: Record<string, (data: Data) => unknown[]> = {
  request: ({ method, url, status, duration_ms, user, verdict }) => [
    method,
    url,
    status,
    `${duration_ms} ms`,
    user,
    verdict === 'pass' ? '' : verdict,
  ],
  mail: ({ to, template, subject }) => [to, template, subject],
  webhook: ({ type, state }) => [type, state],
  clock: ({ now, mode, rate }) => [now, mode, rate === 1 ? '' : `x${rate}`],
  contract: ({ method, url, side, path, message }) => [method, url, side, path, message],
  job: ({ name, ref, at }) => [name, ref, at],
}

function formatEvent(type: string, data: Data) {
  const parts = EVENT_FORMATS[type]?.(data) ?? [JSON.stringify(data)]
  return `${type.padEnd(8)} ${parts.filter((part) => part !== '' && part !== null && part !== undefined).join('  ')}\n`
}

const typeField: Field = {
  name: 'type',
  part: 'query',
  path: ['type'],
  kind: 'text',
  isList: true,
  isRequired: false,
  choices: EVENT_TYPES,
}

/** Prints the events of a world until it is stopped, one line each; with `--json` as JSON lines. */
export const tailCommand: Command = {
  name: 'tail',
  about: control.events.watch.summary,
  fields: [typeField],
  args: [],
  example: 'tail --type request --type mail',
  async run({ query }, { client, io, isJson }) {
    const wanted = query.type as string[] | undefined
    const unknown = wanted?.find((one) => !EVENT_TYPES.some((known) => known === one))
    if (unknown) throw new UsageError(`--type takes one of ${EVENT_TYPES.join(', ')}, not “${unknown}”`)
    try {
      for await (const event of parseEvents(await client.events.watch({}, { signal: io.stop }))) {
        if (wanted && !wanted.includes(event.type)) continue
        const data = JSON.parse(event.data) as Record<string, unknown>
        io.out(isJson ? `${JSON.stringify({ type: event.type, ...data })}\n` : formatEvent(event.type, data))
      }
    } catch (error) {
      if (!io.stop.aborted) throw error
    }
    return { data: undefined, text: '' }
  },
}

import { parseArgs } from 'node:util'
import { LANGUAGES } from '#contracts/lib/languages.ts'
import { NewAnnouncement } from '#contracts/operator/announcements.ts'
import { type DeedPorts, PROGRAM } from '#server/deeds/do-deed.ts'
import { Failure } from '#server/lib/errors.ts'
import { endAnnouncement, makeAnnouncement, readAnnouncements } from './announcements.ts'

export const ANNOUNCE_USAGE = `  announce [list]            prints the announcements, the newest first, one JSON object a line
  announce "TEXT" --until=2026-01-31T12:00:00Z   shows a message to everybody who is signed in
      --from=TIME            from then on; --warning: it is urgent; --mail: owners get it by mail too
      --language=de          the language of TEXT, else English; --de="…" adds the message in another language
  announce end ID            ends it at once`

type Ports = Omit<DeedPorts, 'actor'> & { print(line: string): void }

const TEXTS = Object.fromEntries(LANGUAGES.map((language) => [language, { type: 'string' as const }]))
const OPTIONS = {
  from: { type: 'string' },
  until: { type: 'string' },
  language: { type: 'string' },
  warning: { type: 'boolean' },
  mail: { type: 'boolean' },
  ...TEXTS,
} as const

/** Returns false for arguments that it does not know. Throws a sentence for a value that cannot be used. */
export async function operateAnnouncements(given: Ports, args: string[]) {
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true })
  const [text, about, ...more] = positionals
  const ports = { ...given, actor: PROGRAM }
  if (more.length > 0) return false
  if (text === undefined) return args.length === 0 && (await printAll(given))
  if (text === 'end') {
    if (!/^\d{1,15}$/.test(about ?? '')) return false
    const ended = await endAnnouncement(ports, Number(about)).catch(explain)
    given.print(`The announcement ${ended.id} has ended.`)
    return true
  }
  if (about !== undefined) return false
  const texts = LANGUAGES.flatMap((language) => {
    const other = (values as Record<string, unknown>)[language]
    return typeof other === 'string' ? [[language, other]] : []
  })
  const parsed = NewAnnouncement.safeParse({
    level: values.warning ? 'warning' : 'info',
    texts: { [values.language ?? 'en']: text, ...Object.fromEntries(texts) },
    ...(values.from !== undefined && { starts_at: values.from }),
    ends_at: values.until,
    is_mailed: values.mail ?? false,
  })
  if (!parsed.success) throw new Error(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'))
  const made = await makeAnnouncement(ports, parsed.data).catch(explain)
  given.print(
    `The announcement ${made.id} is ${made.state === 'shown' ? 'shown now' : `shown from ${made.starts_at}`}, until ${made.ends_at}.`,
  )
  return true
}

async function printAll(ports: Ports) {
  let before: string | null | undefined
  do {
    const { announcements, next } = await readAnnouncements(ports, before ? { before } : {})
    for (const each of announcements) ports.print(JSON.stringify(each))
    before = next
  } while (before)
  return true
}

/** The failures of the calls as sentences. */
function explain(error: unknown): never {
  if (!(error instanceof Failure)) throw error
  if (error.code === 'not_found') throw new Error('There is no such announcement.', { cause: error })
  if (error.code === 'expired') throw new Error('The announcement has ended already.', { cause: error })
  throw new Error(
    Object.entries(error.extras.errors ?? {})
      .map(([field, reasons]) => `${field}: ${String(reasons)}`)
      .join('\n') || error.message,
    {
      cause: error,
    },
  )
}

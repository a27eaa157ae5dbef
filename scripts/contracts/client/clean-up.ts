import { existsSync, readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { CannotRun, save } from './io.ts'

const Entry = z.object({
  base: z.string(),
  kind: z.enum(['tags', 'contacts', 'places', 'links', 'alerts', 'keys']),
  /** Unique name or label by which the object is found. */
  mark: z.string(),
  /** Id of the tracker it belongs to. */
  device: z.optional(z.int()),
})
export type Made = z.infer<typeof Entry>

/** Journal of test objects that may still exist at a backend; written before each is created, so that a crash loses none. */
export type CleanUp = { left(): Made[]; begin(made: Omit<Made, 'base'>): Made; done(made: Made): void }

export function openCleanUp(file: string, base: string): CleanUp {
  let entries = read(file)
  const write = (next: Made[]) => {
    entries = next
    save(file, `${JSON.stringify(entries, null, 1)}\n`)
  }
  return {
    left: () => entries.filter((entry) => entry.base === base),
    begin(made) {
      const entry = { ...made, base }
      write([...entries, entry])
      return entry
    },
    done: ({ mark }) => write(entries.filter((entry) => entry.mark !== mark)),
  }
}

function read(file: string): Made[] {
  if (!existsSync(file)) return []
  try {
    return z.parse(z.array(Entry), JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    throw new CannotRun(`${file} does not list what is to be cleaned up: look what it holds, then remove it`)
  }
}

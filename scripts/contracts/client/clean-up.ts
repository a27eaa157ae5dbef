import { existsSync, readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { CannotRun, saveFile } from './io.ts'

const Entry = z.object({
  base: z.string(),
  kind: z.enum(['tags', 'contacts', 'places', 'links', 'alerts', 'keys']),
  mark: z.string(),
  device: z.optional(z.union([z.int(), z.string()])),
})
export type TestObject = z.infer<typeof Entry>

/** Journal of test objects that may still exist at a backend; written before each is created, so that a crash loses none. */
export type CleanUp = { pending(): TestObject[]; add(made: Omit<TestObject, 'base'>): TestObject; remove(made: TestObject): void }

export function openCleanUp(file: string, base: string): CleanUp {
  let entries = read(file)
  const write = (next: TestObject[]) => {
    entries = next
    saveFile(file, `${JSON.stringify(entries, null, 1)}\n`)
  }
  return {
    pending: () => entries.filter((entry) => entry.base === base),
    add(made) {
      const entry = { ...made, base }
      write([...entries, entry])
      return entry
    },
    remove: ({ mark }) => write(entries.filter((entry) => entry.mark !== mark)),
  }
}

function read(file: string): TestObject[] {
  if (!existsSync(file)) return []
  try {
    return z.parse(z.array(Entry), JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    throw new CannotRun(`${file} is not a clean-up list: inspect it, then delete it`)
  }
}

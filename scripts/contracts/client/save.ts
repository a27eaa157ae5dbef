import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { CannotRun } from './cannot-run.ts'

/** Writes a file and its folder. */
export function save(file: string, text: string) {
  try {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
  } catch (error) {
    throw new CannotRun(`${file} can't be written: ${(error as Error).message}`)
  }
}

import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Writes a file, and the folder it lies in where there is none. */
export function save(file: string, text: string) {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { readProjectFiles } from '#scripts/check/files.ts'
import type { CallRecord } from './call-record.ts'
import type { Change } from './compare-versions.ts'
import type { Project } from './select-tests.ts'

const MOST_BYTES = 256 * 1024 * 1024

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', maxBuffer: MOST_BYTES, stdio: ['ignore', 'pipe', 'pipe'] })

const split = (text: string) => text.split('\0').filter(Boolean)

/** Names of what differs, as `git diff --name-status -z -M` writes them. */
export function parseNames(text: string): { path: string; oldPath: string; status: string }[] {
  const parts = split(text)
  const names = []
  for (let index = 0; index < parts.length; ) {
    const status = parts[index++]![0]!
    const oldPath = parts[index++]!
    const path = status === 'R' || status === 'C' ? parts[index++]! : oldPath
    names.push({ path, oldPath, status })
  }
  return names
}

/** What differs between a commit and the files as they are now, or another commit. */
export function readChanges(from: string, to?: string): Change[] {
  const names = parseNames(git('diff', '--name-status', '-z', '-M', from, ...(to ? [to] : [])))
  const untracked = to ? [] : split(git('ls-files', '-z', '--others', '--exclude-standard'))
  const readNow = (path: string) => (to ? git('show', `${to}:${path}`) : existsSync(path) ? readFileSync(path, 'utf8') : undefined)
  return [
    ...names.map(({ path, oldPath, status }) => ({
      path,
      oldPath,
      before: status === 'A' ? undefined : git('show', `${from}:${oldPath}`),
      after: status === 'D' ? undefined : readNow(path),
    })),
    ...untracked.map((path) => ({ path, oldPath: path, after: readNow(path) })),
  ]
}

/** The project as it is now. */
export function readProject(record: CallRecord): Project {
  const files = readProjectFiles()
  return { files, record, tests: [...files.keys()].filter((path) => /\.test\.tsx?$|^e2e\/.*\.spec\.ts$/.test(path)) }
}

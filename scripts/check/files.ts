import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import type { Files } from './finding.ts'

const BINARY = /\.(png|jpe?g|gif|ico|webp|woff2?|ttf|pbf|gz|br|db|sqlite)$/

/** Reads every text file that is tracked by git or new and not ignored. */
export const projectFiles = (): Files => {
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  const paths = list.split('\0').filter((path) => path !== '' && !BINARY.test(path))
  return new Map(
    paths.filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile()).map((path) => [path, readFileSync(path, 'utf8')]),
  )
}

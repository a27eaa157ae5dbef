import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { routes } from '#web/app/routes.tsx'

/** Writes the paths that have a screen, a line each, so that the server can answer 404 to all others. */
export function writeScreenPaths(folder: string) {
  const paths = routes.map((row) => row.path).filter((one) => one !== '*')
  writeFileSync(path.join(folder, 'screen-paths.txt'), `${[...new Set(paths)].join('\n')}\n`)
}

import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Writes the id of a build. The hash of the page is enough: it names its entry by content, and the entry its chunks. Open portals read the
 * id from `/config.json` and offer to reload.
 */
export function writeBuildId(folder: string) {
  const id = createHash('sha256')
    .update(readFileSync(path.join(folder, 'index.html')))
    .digest('hex')
    .slice(0, 12)
  writeFileSync(path.join(folder, 'build.txt'), `${id}\n`)
}

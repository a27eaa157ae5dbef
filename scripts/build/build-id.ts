import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Names a build by what is in it: the page names its entry by content, the entry its chunks. `/config.json` tells it to open portals (D-07). */
export function writeBuildId(folder: string) {
  const id = createHash('sha256')
    .update(readFileSync(path.join(folder, 'index.html')))
    .digest('hex')
    .slice(0, 12)
  writeFileSync(path.join(folder, 'build.txt'), `${id}\n`)
}

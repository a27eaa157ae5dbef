import { expect, test } from 'vitest'
import { blankComments, isSource, readProjectFiles, selectFiles } from '#scripts/check/files.ts'

/** The sources of what the package contains. */
const PACKED = /^(contracts|db|server|e2e\/fixture|scripts\/(cli|contracts|har|package))\//
/** Only `npm run contracts:check` of a clone loads this file. */
const ONLY_IN_CLONE = 'scripts/contracts/levels/portal-visit.ts'
/** Places where a clone's texts differ from those of the package. */
const CHOICE = /chooseWording\([^)]*\)/g

test('no text of the package names an npm script, which only a clone has', () => {
  const files = selectFiles(readProjectFiles(), (file) => PACKED.test(file) && file !== ONLY_IN_CLONE)
  const sources = files.filter(([file]) => isSource(file) || file.startsWith('e2e/fixture/'))
  expect(sources.length).toBeGreaterThan(500)
  const found = sources.flatMap(([file, text]) => {
    const rest = blankComments(text).replace(CHOICE, '')
    return [...rest.matchAll(/.*\bnpm (run|start|test|ci)\b.*/g)].map(([line]) => `${file}: ${line.trim()}`)
  })
  expect(found).toEqual([])
})

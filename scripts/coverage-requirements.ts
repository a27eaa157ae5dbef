/** Lists the requirements of `docs/rules.md` that no test names, by id (`R-1.2`) or within a range (`R-4.6…R-4.8`). */
import { readFileSync } from 'node:fs'
import { readProjectFiles } from '#scripts/check/files.ts'
import { findCoveredIds, formatCoverage, parseRequirements } from '#scripts/check/rules.ts'

const rows = parseRequirements(readFileSync('docs/rules.md', 'utf8'))
const { lines, unknownIds } = formatCoverage(rows, findCoveredIds(readProjectFiles()))
for (const line of lines) console.log(line)
if (unknownIds.length > 0) console.error(`Tests name requirements that do not exist: ${unknownIds.join(', ')}`)
process.exit(unknownIds.length > 0 || rows.length === 0 ? 1 : 0)

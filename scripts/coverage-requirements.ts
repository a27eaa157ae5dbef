/** Lists the requirements of `docs/rules.md` that no test names, by id (`R-1.2`) or within a range (`R-4.6…R-4.8`). */
import { readFileSync } from 'node:fs'
import { projectFiles } from '#scripts/check/files.ts'
import { coveredRows, parseRows, reportOf } from '#scripts/check/requirements.ts'

const rows = parseRows(readFileSync('docs/rules.md', 'utf8'))
const { lines, strangers } = reportOf(rows, coveredRows(projectFiles()))
for (const line of lines) console.log(line)
if (strangers.length > 0) console.error(`Tests name rows that do not exist: ${strangers.join(', ')}`)
process.exit(strangers.length > 0 || rows.length === 0 ? 1 : 0)

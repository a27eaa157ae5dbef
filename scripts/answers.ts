/** Runs after the whole test suite and fails if a documented response (status and error code of each endpoint) was never seen in a test. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { api } from '#contracts/index.ts'
import { findUnseenResponses, listDocumentedResponses } from '#scripts/test/answers.ts'

const FOLDER = process.env.ANSWERS_DIR ?? '.cache/answers'

const seen = new Set(readdirSync(FOLDER).flatMap((file) => readFileSync(path.join(FOLDER, file), 'utf8').split('\n')))
const missing = findUnseenResponses(api, seen)
for (const line of missing) console.error(`no test saw ${line}`)
console.log(
  `${listDocumentedResponses(api).length - missing.length} of ${listDocumentedResponses(api).length} documented responses were seen`,
)
process.exit(missing.length > 0 ? 1 : 0)

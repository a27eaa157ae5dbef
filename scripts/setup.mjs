/**
 * Prepares a fresh clone for `npm start`, `npm test` or `npm run dev`: packages, database driver, builds, browser. npm runs it before
 * node_modules exists, so this file and `scripts/setup/` import only Node's own modules.
 */
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureChromium } from '#scripts/setup/chromium.mjs'
import { checkNode } from '#scripts/setup/node-version.mjs'
import { ensurePackages } from '#scripts/setup/packages.mjs'
import { SetupError } from '#scripts/setup/run.mjs'
import { checkSqlite } from '#scripts/setup/sqlite.mjs'
import { ensureBuilt } from '#scripts/setup/stamps.mjs'

const NEEDS = { start: ['web', 'server', 'city'], test: ['web', 'server', 'city'], dev: ['city'] }

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const command = process.argv[2] ?? ''

try {
  if (!(command in NEEDS)) throw new SetupError(`choose what to prepare: ${Object.keys(NEEDS).join(', ')}`)
  checkNode()
  const { isFresh, installed } = ensurePackages(root)
  if (command === 'test') ensureChromium(root)
  ensureBuilt(root, NEEDS[command])
  await installed
  await checkSqlite(root, isFresh)
} catch (error) {
  if (!(error instanceof SetupError)) throw error
  console.error(`\nsetup: ${error.message}\n`)
  process.exit(1)
}

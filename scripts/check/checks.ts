import { checkLicences } from '#scripts/check/package/licences.ts'
import { checkManifest } from '#scripts/check/package/manifest.ts'
import { checkBudgets, checkHosts, readBuiltFiles } from './built-portal.ts'
import type { Files } from './files.ts'
import { checkForbiddenText } from './forbidden-text.ts'
import { checkLayers } from './layers.ts'
import { checkLocales } from './locales.ts'
import { checkCitations } from './rules.ts'
import type { Check, Finding } from './runner.ts'
import { checkSizes } from './sizes.ts'
import { checkAudit, checkLint, checkTypes, checkUnused } from './tools.ts'

/** Checks that the committed OpenAPI documents match the contract tables. */
export const checkOpenapi = (files: Files, fresh: Record<string, string>): Finding => ({
  fileCount: Object.keys(fresh).filter((file) => files.has(file)).length,
  problems: Object.entries(fresh).flatMap(([file, text]) => {
    const committed = files.get(file)
    if (committed === undefined) return [`${file} is missing: write it with npm run openapi`]
    return committed === text ? [] : [`${file} differs from the contract table: write it again with npm run openapi`]
  }),
})

type Manifest = Partial<Record<'dependencies' | 'devDependencies' | 'optionalDependencies', Record<string, string>>>
type Lock = { packages: Record<string, Manifest> }

/** Checks that package-lock.json contains every package of package.json in its version: `npm ci` fails otherwise. */
export const checkLock = (files: Files): Finding => {
  const manifest: Manifest = JSON.parse(files.get('package.json') ?? '{}')
  const { packages }: Lock = JSON.parse(files.get('package-lock.json') ?? '{"packages":{}}')
  const groups = ['dependencies', 'devDependencies', 'optionalDependencies'] as const
  const pairs = groups.flatMap((group) =>
    [...new Set([...Object.keys(manifest[group] ?? {}), ...Object.keys(packages['']?.[group] ?? {})])].map(
      (name) => [group, name] as const,
    ),
  )
  return {
    fileCount: pairs.length,
    problems: pairs
      .filter(([group, name]) => manifest[group]?.[name] !== packages['']?.[group]?.[name] || !packages[`node_modules/${name}`])
      .map(([, name]) => `package-lock.json differs from package.json in ${name}: write it with npm install --package-lock-only`),
  }
}

const WEB_BUILD = 'dist/web'

/** The checks of this folder by name, the slow ones first. */
export const createChecks = (files: Files): Record<string, Check> => ({
  types: checkTypes,
  unused: () => checkUnused(files),
  audit: checkAudit,
  lint: checkLint,
  openapi: async () => checkOpenapi(files, await (await import('#scripts/openapi/write-openapi.ts')).openapiTexts()),
  lock: () => checkLock(files),
  licences: () => checkLicences(files),
  manifest: () => checkManifest(files),
  layers: () => checkLayers(files),
  text: () => checkForbiddenText(files),
  bars: () => checkSizes(files),
  citations: () => checkCitations(files),
  locales: () => checkLocales(files),
  budgets: () => checkBudgets(WEB_BUILD),
  hosts: () => checkHosts(readBuiltFiles(WEB_BUILD)),
})

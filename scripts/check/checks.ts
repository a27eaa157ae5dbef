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

const WEB_BUILD = 'dist/web'

/** All checks by name, the slow ones first. */
export const createChecks = (files: Files): Record<string, Check> => ({
  types: checkTypes,
  unused: () => checkUnused(files),
  audit: checkAudit,
  lint: checkLint,
  openapi: async () => checkOpenapi(files, await (await import('#scripts/openapi/write-openapi.ts')).openapiTexts()),
  layers: () => checkLayers(files),
  text: () => checkForbiddenText(files),
  bars: () => checkSizes(files),
  citations: () => checkCitations(files),
  locales: () => checkLocales(files),
  budgets: () => checkBudgets(WEB_BUILD),
  hosts: () => checkHosts(readBuiltFiles(WEB_BUILD)),
})

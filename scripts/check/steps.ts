import { audit } from './audit.ts'
import { bars } from './bars.ts'
import { budgets } from './budgets.ts'
import { citations } from './citations.ts'
import type { Check, Files } from './finding.ts'
import { forbidden } from './forbidden.ts'
import { builtFiles, hosts } from './hosts.ts'
import { layers } from './layers.ts'
import { locales } from './locales.ts'
import { openapi } from './openapi.ts'
import { lint, types, unused } from './tools.ts'

const WEB = 'dist/web'

/** All checks by name, the slow ones first. */
export const stepsOver = (files: Files): Record<string, Check> => ({
  types,
  unused: () => unused(files),
  audit,
  lint,
  openapi: async () => openapi(files, await (await import('#scripts/openapi/write-openapi.ts')).openapiTexts()),
  layers: () => layers(files),
  text: () => forbidden(files),
  bars: () => bars(files),
  citations: () => citations(files),
  locales: () => locales(files),
  budgets: () => budgets(WEB),
  hosts: () => hosts(builtFiles(WEB)),
})

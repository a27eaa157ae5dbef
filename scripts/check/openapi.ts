import type { Files, Finding } from './finding.ts'

const FILE = 'docs/openapi.json'

/** The committed OpenAPI document says what the contract table says. */
export const openapi = (files: Files, fresh: string): Finding => {
  const kept = files.get(FILE)
  if (kept === undefined) return { looked: 0, problems: [`${FILE} is missing: write it with npm run openapi`] }
  return { looked: 1, problems: kept === fresh ? [] : [`${FILE} differs from the contract table: write it anew with npm run openapi`] }
}

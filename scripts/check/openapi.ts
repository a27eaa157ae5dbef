import type { Files, Finding } from './finding.ts'

/** Checks that the committed OpenAPI documents match the contract tables. */
export const openapi = (files: Files, fresh: Record<string, string>): Finding => ({
  looked: Object.keys(fresh).filter((file) => files.has(file)).length,
  problems: Object.entries(fresh).flatMap(([file, text]) => {
    const kept = files.get(file)
    if (kept === undefined) return [`${file} is missing: write it with npm run openapi`]
    return kept === text ? [] : [`${file} differs from the contract table: write it anew with npm run openapi`]
  }),
})

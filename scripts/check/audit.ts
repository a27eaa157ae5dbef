import { command } from './command.ts'
import type { Finding } from './finding.ts'

type Report = {
  metadata?: { vulnerabilities?: Record<string, number>; dependencies?: { prod?: number } }
  vulnerabilities?: Record<string, Advisory>
}
type Advisory = { name: string; severity: string }

const parse = (output: string): Report => {
  try {
    return JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1))
  } catch {
    return {}
  }
}

/** Parses the output of `npm audit --json`. The check is skipped when the registry is unreachable. */
export const judgeAudit = (output: string): Finding => {
  const { metadata, vulnerabilities = {} } = parse(output)
  if (!metadata) return { looked: 0, problems: [], skipped: 'the registry gave no answer' }
  const grave = Object.values(vulnerabilities).filter(({ severity }) => severity === 'high' || severity === 'critical')
  return {
    looked: metadata.dependencies?.prod ?? 1,
    problems: grave.map(({ name, severity }) => `${name} has an advisory of severity ${severity}: see npm audit --omit=dev`),
  }
}

export const audit = async (): Promise<Finding> =>
  judgeAudit(
    (
      await command('npm', ['audit', '--json', '--audit-level=high', '--omit=dev', '--fetch-retries=0', '--fetch-timeout=15000'], {
        limit: 40_000,
      })
    ).output,
  )

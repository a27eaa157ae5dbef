/**
 * `drift+`: more than the contract says, which the portal ignores. `enum?`: a value outside of a closed list, so the portal rejects the
 * response until the list is extended.
 */
export const VERDICTS = ['pass', 'drift+', 'enum?', 'fail', 'unreachable', 'skipped'] as const
export type Verdict = (typeof VERDICTS)[number]

export type Finding = { verdict: 'drift+' | 'enum?' | 'fail'; path: string; message: string }

export const fail = (path: string, message: string): Finding => ({ verdict: 'fail', path, message })
export const drift = (path: string, message: string): Finding => ({ verdict: 'drift+', path, message })

const WORST = ['fail', 'enum?', 'drift+'] as const

export const verdictOf = (findings: readonly Finding[]): Verdict =>
  WORST.find((verdict) => findings.some((finding) => finding.verdict === verdict)) ?? 'pass'

const BROKEN: readonly string[] = ['fail', 'enum?', 'unreachable'] satisfies Verdict[]

export const isBroken = (verdict: string) => BROKEN.includes(verdict)

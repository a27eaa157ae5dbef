import { redactText } from '#server/mock/journal/redact.ts'

const HIDDEN = '[redacted]'

/** Redacts secrets in output: known ones, and text that looks like one. */
export type Hide = { know(secret: string): void; text(text: string): string }

export function createHide(): Hide {
  const known = new Set<string>()
  return {
    know: (secret) => void (secret.length > 0 && known.add(secret)),
    text: (text) => redactText([...known].reduce((left, secret) => left.replaceAll(secret, HIDDEN), text)),
  }
}

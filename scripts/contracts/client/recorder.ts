import { type Entry, formatHar, redactHeaders, redactText, redactUrl } from '#scripts/contracts/port.ts'
import type { BackendResponse } from './send.ts'

const REDACTED = '[redacted]'

export type Redactor = { add(secret: string): void; redact(text: string): string }

export function createRedactor(): Redactor {
  const known = new Set<string>()
  return {
    add: (secret) => void (secret.length > 0 && known.add(secret)),
    redact: (text) => redactText([...known].reduce((left, secret) => left.replaceAll(secret, REDACTED), text)),
  }
}

export function createRecorder(redactor: Redactor) {
  const answers: BackendResponse[] = []
  return {
    add: (answer: BackendResponse) => void answers.push(answer),
    archive(base: string): string {
      const entries = answers.map((answer, index) => toEntry(answer, index + 1, redactor))
      const { log } = formatHar(entries, base)
      const plain = log.entries.map(({ _route, _user, _verdict, _breaches, ...entry }) => entry)
      return `${JSON.stringify({ log: { ...log, entries: plain } }, null, 1)}\n`
    },
  }
}

const toEntry = ({ sent, at, ms, status, headers, contentType, text }: BackendResponse, id: number, redactor: Redactor): Entry => ({
  id,
  at,
  ms,
  method: sent.method,
  url: redactor.redact(redactUrl(sent.url.href)),
  call: undefined,
  status,
  faults: [],
  verdict: 'pass',
  breaches: [],
  request: { headers: redactHeaders(sent.headers), body: redactor.redact(sent.body ?? '') },
  response: { headers: redactHeaders(Object.fromEntries(headers)), body: /json|^text/.test(contentType) ? redactor.redact(text) : '' },
})

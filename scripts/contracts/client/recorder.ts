import { har } from '#server/mock/journal/har.ts'
import type { Entry } from '#server/mock/journal/journal.ts'
import { redactHeaders, redactText, redactUrl } from '#server/mock/journal/redact.ts'
import type { Answer } from './send.ts'

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

/** Records every request and response as an HTTP archive, without secrets. */
export function createRecorder(hide: Hide) {
  const answers: Answer[] = []
  return {
    add: (answer: Answer) => void answers.push(answer),
    archive(base: string): string {
      const entries = answers.map((answer, index) => entryOf(answer, index + 1, hide))
      const { log } = har(entries, base)
      const plain = log.entries.map(({ _route, _user, _verdict, _breaches, ...entry }) => entry)
      return `${JSON.stringify({ log: { ...log, entries: plain } }, null, 1)}\n`
    },
  }
}

const entryOf = ({ sent, at, ms, status, headers, contentType, text }: Answer, id: number, hide: Hide): Entry => ({
  id,
  at,
  ms,
  method: sent.method,
  url: hide.text(redactUrl(sent.url.href)),
  call: undefined,
  status,
  faults: [],
  verdict: 'pass',
  breaches: [],
  request: { headers: redactHeaders(sent.headers), body: hide.text(sent.body ?? '') },
  response: { headers: redactHeaders(Object.fromEntries(headers)), body: /json|^text/.test(contentType) ? hide.text(text) : '' },
})

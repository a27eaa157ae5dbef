import { writeFileSync } from 'node:fs'
import { har } from '#server/mock/journal/har.ts'
import type { Entry } from '#server/mock/journal/journal.ts'
import { redactHeaders, redactUrl } from '#server/mock/journal/redact.ts'
import type { Hide } from './secrets.ts'
import type { Answer } from './send.ts'

/** Keeps every call without its secrets; `save` writes them as an HTTP archive. */
export function createRecorder(hide: Hide) {
  const answers: Answer[] = []
  return {
    add: (answer: Answer) => void answers.push(answer),
    save: (file: string, base: string) =>
      writeFileSync(
        file,
        `${JSON.stringify(
          har(
            answers.map((answer, index) => entryOf(answer, index + 1, hide)),
            base,
          ),
          null,
          1,
        )}\n`,
      ),
  }
}

const entryOf = ({ sent, at, ms, status, headers, text }: Answer, id: number, hide: Hide): Entry => ({
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
  response: { headers: redactHeaders(Object.fromEntries(headers)), body: hide.text(text) },
})

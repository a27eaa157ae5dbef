import { fork } from 'node:child_process'
import { findProgram, runUntilEnd } from './test-process.ts'

/** A mail as the mail server received it. */
export type ReceivedMail = { from: string; to: string[]; source: string }

/** Starts a mail server in a child process. */
export async function startSmtp(port = 0) {
  const taken: ReceivedMail[] = []
  const child = fork(await findProgram('server/test/test-entry-smtp.ts'), [String(port)])
  const address = await new Promise<{ port: number }>((resolve, reject) => {
    child.once('message', (message) => resolve(message as { port: number }))
    child.once('exit', (code) => reject(new Error(`The mail server exited with code ${code}`)))
  })
  child.on('message', (message) => {
    taken.push(message as ReceivedMail)
    // The server may be killed while a client still sends.
    if (child.connected) child.send('kept', () => {})
  })
  return {
    taken,
    port: address.port,
    url: `smtp://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Runs a dispatcher that is killed after the mail server's acceptance and before it is recorded; resolves to its signal. */
export const dispatchAndDie = (address: string, url: string) => runUntilEnd('server/test/test-entry-dispatch.ts', [address, url])

export function getHeader({ source }: ReceivedMail, name: string) {
  const head = source.slice(0, source.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ')
  const line = head.split('\r\n').find((one) => one.toLowerCase().startsWith(`${name.toLowerCase()}:`)) ?? ''
  return decodeWords(line.slice(name.length + 1).trim())
}

/** Parts of a multipart message by content type. */
export function splitParts({ source }: ReceivedMail) {
  const boundary = /boundary="?([^"\r\n]+)"?/.exec(source)?.[1] ?? ''
  const parts = source.split(`--${boundary}`).slice(1, -1)
  return new Map(
    parts.map((part) => {
      const [head = '', body = ''] = part.split(/\r\n\r\n(.*)/s)
      return [/content-type: ([^;\r\n]+)/i.exec(head)?.[1] ?? '', getBody(head, body)]
    }),
  )
}

function getBody(head: string, body: string) {
  const encoding = /content-transfer-encoding: (\S+)/i.exec(head)?.[1]?.toLowerCase()
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  return encoding === 'quoted-printable' ? unquoted(body.replace(/=\r\n/g, '')) : body
}

const unquoted = (text: string) =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString()

/** Adjacent encoded words form one text. */
const decodeWords = (text: string) =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi, (_, way, word) =>
      way.toUpperCase() === 'B' ? Buffer.from(word, 'base64').toString() : unquoted(word.replaceAll('_', ' ')),
    )

import { SMTPServer } from 'smtp-server'

/**
 * A mail server that passes each mail to its parent process and accepts it after the parent's reply. It rejects the first attempt to an
 * address that starts with `busy`, and every one to an address that starts with `gone`.
 */
const refused = new Set<string>()
const refusal = (responseCode: number, words: string) => Object.assign(new Error(words), { responseCode })

/** Mails without a reply of the parent yet; it replies in the same order. */
const unanswered: (() => void)[] = []
process.on('message', () => unanswered.shift()?.())

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['AUTH', 'STARTTLS'],
  logger: false,
  onRcptTo({ address }, _, answer) {
    if (address.startsWith('gone')) return answer(refusal(550, 'No such mailbox'))
    if (address.startsWith('busy') && !refused.has(address)) {
      refused.add(address)
      return answer(refusal(451, 'Try again later'))
    }
    answer()
  },
  onData(stream, { envelope }, answer) {
    let source = ''
    stream.setEncoding('utf8')
    stream.on('data', (text) => {
      source += text
    })
    stream.on('end', () => {
      const { mailFrom, rcptTo } = envelope
      unanswered.push(answer)
      process.send?.({ from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address), source })
    })
  },
})
// A client that is killed.
server.on('error', () => {})
const port = Number(process.argv[2] ?? 0)
const listening = server.listen(port, '127.0.0.1', () => process.send?.(listening.address()))
process.on('disconnect', () => process.exit(0))

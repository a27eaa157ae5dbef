import { parseArgs } from 'node:util'
import { MAX_GIVEN_MONTHS, NewCustomerEmail } from '#contracts/operator/customers.ts'
import { normalizeIdentifier } from '#contracts/rules/reading/text.ts'
import { PROGRAM } from '#server/deeds/do-deed.ts'
import { movePlan } from '#server/operator/plans/move-plan.ts'
import { pausePlan, resumePlan } from '#server/operator/plans/pause-plan.ts'
import type { World } from '#server/ports/world.ts'
import { findCustomers, readCustomer } from './customers.ts'
import { changeCustomerEmail, endCustomerSessions, giveMonths, type HelpPorts, makePro, resendMail, unlockCustomer } from './help.ts'

type Ports = Omit<HelpPorts, 'actor' | 'live'> & Pick<World, 'claims' | 'graceDays'> & { print(line: string): void }

export const CUSTOMERS_USAGE = `  customers find TEXT        prints customers by e-mail, name, customer number, identifier, S/N, invoice or order, one JSON object a line
  customers show CUSTOMER    prints everything about one; CUSTOMER is the number, an e-mail, or any text that finds only one
  customers sessions end CUSTOMER   signs all users of the account out everywhere
  customers unlock CUSTOMER  lets them sign in again at once after too many wrong passwords
  customers pro CUSTOMER     makes the account one of a team; its owner becomes the administrator
  customers give-months CUSTOMER --tracker IDENTIFIER --months N   extends a subscription free of charge
  customers move-plan CUSTOMER --from IDENTIFIER --to IDENTIFIER   moves a running plan to another tracker of the account
  customers pause-plan CUSTOMER --tracker IDENTIFIER --until DAY   pauses a running plan until a day within a year
  customers resume-plan CUSTOMER --tracker IDENTIFIER   ends its pause at once
  customers resend CUSTOMER confirmation|password   mails a new link
  customers change-email CUSTOMER --to EMAIL --reason TEXT   mails a link to the new address and a warning to the present one`

/** Returns false for arguments that it does not know. Throws a sentence for a value that cannot be used. */
export async function operateCustomers(given: Ports, args: string[]): Promise<boolean> {
  const ports = { ...given, actor: PROGRAM }
  const text = { type: 'string' } as const
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { tracker: text, months: text, from: text, to: text, until: text, reason: text },
  })
  const [deed = '', ...words] = positionals
  const [about = '', more] = deed === 'sessions' && words[0] === 'end' ? [words[1], words[2]] : words
  const isKnown =
    ['find', 'show', 'unlock', 'pro', 'give-months', 'move-plan', 'pause-plan', 'resume-plan', 'resend', 'change-email'].includes(deed) ||
    (deed === 'sessions' && words[0] === 'end')
  if (!isKnown || about === '' || (more !== undefined && deed !== 'resend')) return false
  if (deed === 'find') {
    for (const customer of (await findCustomers(ports, { q: about })).customers) ports.print(JSON.stringify(customer))
    return true
  }
  const { account, number } = await findOne(ports, about)
  const trackerOf = async (name: 'tracker' | 'from' | 'to') => findTracker(await readCustomer(ports, account), name, values[name])
  if (deed === 'show') ports.print(JSON.stringify(await readCustomer(ports, account), null, 2))
  else if (deed === 'sessions') ports.print(`Ended ${(await endCustomerSessions(ports, account)).ended} sessions of ${number}.`)
  else if (deed === 'unlock') {
    await unlockCustomer(ports, account)
    ports.print(`Wrong passwords of ${number} no longer count.`)
  } else if (deed === 'pro') {
    await makePro(ports, account)
    ports.print(`${number} is a team account now.`)
  } else if (deed === 'give-months') {
    const months = Number(values.months)
    if (!(Number.isInteger(months) && months >= 1 && months <= MAX_GIVEN_MONTHS))
      throw new Error(`--months is a number from 1 to ${MAX_GIVEN_MONTHS}.`)
    const { sub_end_date } = await giveMonths(ports, account, { tracker: await trackerOf('tracker'), months })
    ports.print(`The subscription ends at ${sub_end_date}.`)
  } else if (deed === 'move-plan') {
    const { sub_end_date } = await movePlan(ports, account, { from: await trackerOf('from'), to: await trackerOf('to') })
    ports.print(`The plan is on the other tracker now${sub_end_date === null ? '' : `, until ${sub_end_date}`}.`)
  } else if (deed === 'pause-plan') {
    const paused = await pausePlan(ports, account, { tracker: await trackerOf('tracker'), until: readDay(values.until) })
    for (const { sub_end_date } of paused) ports.print(`The plan is paused; it ends at ${sub_end_date}.`)
  } else if (deed === 'resume-plan') {
    for (const { sub_end_date } of await resumePlan(ports, account, await trackerOf('tracker')))
      ports.print(`The plan goes on; it ends at ${sub_end_date}.`)
  } else if (deed === 'change-email') {
    const change = NewCustomerEmail.safeParse({ email: values.to, reason: values.reason })
    if (!change.success) throw new Error('--to is an e-mail address, and --reason says why, in at most 200 characters.')
    const { email } = await changeCustomerEmail(ports, account, change.data)
    ports.print(`${email} gets a mail with a link. The address of ${number} changes once it is opened.`)
  } else {
    if (more !== 'confirmation' && more !== 'password') return false
    ports.print(`${(await resendMail(ports, account, { mail: more })).email} gets a mail.`)
  }
  return true
}

/** The midnight with which a day begins, in UTC. */
function readDay(text = '') {
  const instant = `${text}T00:00:00Z`
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(Date.parse(instant))) throw new Error('--until is a day such as 2027-03-01.')
  return instant
}

async function findOne(ports: Ports, text: string) {
  const { customers } = await findCustomers(ports, { q: text })
  const [one] = customers.filter(({ email, number }) => [email, number].includes(text.trim()))
  const found = one ?? (customers.length === 1 ? customers[0] : undefined)
  if (!found) throw new Error(customers.length === 0 ? `No customer is found by ${text}.` : `${text} finds more than one customer.`)
  return found
}

function findTracker({ trackers }: Awaited<ReturnType<typeof readCustomer>>, name: string, text = '') {
  const wanted = normalizeIdentifier(text)
  const found = trackers.find(({ identifier }) => identifier !== null && normalizeIdentifier(identifier) === wanted)
  if (!found) throw new Error(`--${name} is the identifier of a tracker of this customer.`)
  return found.id
}

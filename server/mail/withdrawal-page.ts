import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { WITHDRAWAL_PATH } from '#contracts/billing/withdrawal.ts'
import { LANGUAGES, type Language } from '#contracts/lib/languages.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { Email, Text } from '#contracts/rules/reading/text-fields.ts'
import { declareWithdrawal, type WithdrawalRules } from '#server/billing/withdrawals/withdraw.ts'
import { Failure } from '#server/lib/errors.ts'
import { type PageField, sendMailPage } from './mail-page.ts'
import { createTranslate } from './mail-translate.ts'

const EVERYWHERE: WithdrawalRules = { days: 14, countries: null }
const MOST_BYTES = 4096

/**
 * The page on which a customer withdraws from a contract in two steps, without signing in: the numbers, then the button that declares it
 * (directive (EU) 2023/2673).
 */
export async function registerWithdrawalPage(app: FastifyInstance, rules: WithdrawalRules = EVERYWHERE) {
  if (rules.days === null) return
  await app.register(async (pages) => {
    pages.removeAllContentTypeParsers()
    pages.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: MOST_BYTES }, (_, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    pages.get(WITHDRAWAL_PATH, { config: { rateLimit: {} } }, (request, reply) => showForm(request, reply))
    pages.post(WITHDRAWAL_PATH, { config: { rateLimit: {} } }, (request, reply) => answer(request, reply, rules))
  })
}

const Query = z.object({ language: z.optional(z.enum(LANGUAGES)), reference: z.optional(z.string().check(z.maxLength(40))) })

const Form = z.object({
  reference: z.string().check(
    z.overwrite((text) => text.trim().toUpperCase()),
    z.regex(/^(ORD|INV)-\d{1,12}$/),
  ),
  email: Email,
  name: z.optional(Text(0, 2 * TEXT_LENGTH.personName)),
  step: z.optional(z.string()),
})

/** The language of the link, else that of the browser. */
function findLanguage({ query, headers }: FastifyRequest): Language {
  const asked = Query.safeParse(query).data?.language
  const preferred = (headers['accept-language'] ?? '').split(',').map((each) => each.trim().slice(0, 2))
  return asked ?? preferred.flatMap((each) => LANGUAGES.find((language) => language === each) ?? [])[0] ?? 'en'
}

type Given = { reference?: unknown; email?: unknown; name?: unknown }

function showForm(request: FastifyRequest, reply: FastifyReply, given: Given = {}, isWrong = false) {
  const language = findLanguage(request)
  const t = createTranslate(language)
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  const fields: PageField[] = [
    { name: 'reference', label: t('withdraw.reference'), value: text(given.reference ?? Query.safeParse(request.query).data?.reference) },
    { name: 'email', label: t('withdraw.email'), value: text(given.email) },
    { name: 'name', label: t('withdraw.name'), value: text(given.name), isOptional: true },
  ]
  const lead = isWrong ? `${t('withdraw.invalid')} ${t('withdraw.lead')}` : t('withdraw.lead')
  return sendMailPage(reply.code(isWrong ? 400 : 200), language, {
    title: t('withdraw.title'),
    text: lead,
    fields,
    submit: t('withdraw.next'),
  })
}

async function answer(request: FastifyRequest, reply: FastifyReply, rules: WithdrawalRules) {
  const parsed = Form.safeParse(request.body)
  if (!parsed.success) return showForm(request, reply, (request.body ?? {}) as Given, true)
  const { reference, email, name, step } = parsed.data
  const language = findLanguage(request)
  const t = createTranslate(language)
  if (step !== 'confirm') {
    const hidden = { reference, email, name: name ?? '', step: 'confirm' }
    return sendMailPage(reply, language, {
      title: t('withdraw.confirmTitle', { reference }),
      text: t('withdraw.confirmText', { email }),
      fields: Object.entries(hidden).map(([field, value]) => ({ name: field, value })),
      submit: t('withdraw.confirm'),
    })
  }
  try {
    const at = await declareWithdrawal(request.world, rules, { reference, email, name: name || null, language })
    const time = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' }).format(at)
    return sendMailPage(reply, language, { title: t('withdraw.done'), text: t('withdraw.doneText', { time, email }) })
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'throttled') throw error
    return sendMailPage(reply.code(429), language, { title: t('withdraw.title'), text: t('withdraw.throttled') })
  }
}

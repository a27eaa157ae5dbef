import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import * as z from 'zod/mini'
import { normalizeVerificationCode } from '#contracts/rules/verification-code.ts'
import { calls } from '#web/billing/subscriptions.calls.ts'
import { heldQuery } from '#web/billing/subscriptions.queries.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.ts'
import { useForm } from '#web/ui/form/use-form.ts'

const Form = z.object({ device: z.string(), code: z.string().check(z.refine((text) => normalizeVerificationCode(text) !== null)) })

/** Links a code on submit only: the endpoint changes state although it is a GET, so it must never be retried or prefetched. */
export function useLink() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [isPro, setPro] = useState(false)
  const submit = async ({ device, code }: z.infer<typeof Form>) => {
    setPro(false)
    try {
      const linked = await calls.linkByCode({ params: { deviceid: Number(device) }, query: { code } })
      for (const { queryKey } of [devicesQuery(), heldQuery()]) void queries.invalidateQueries({ queryKey })
      await navigate('/link_subscription_success', { replace: true, state: { device: linked.device, end: linked.sub_end_date } })
    } catch (error) {
      setPro(error instanceof ApiError && error.code === 'device_linked_to_pro')
      throw error
    }
  }
  const form = useForm({
    schema: Form,
    submit,
    words: { code: t('subscriptions.noSubscription') },
    failure: ({ code }) => {
      if (code === 'no_subscription') return t('subscriptions.noSubscription')
      return code === 'device_linked_to_pro' ? '' : undefined
    },
  })
  return { ...form, isPro }
}

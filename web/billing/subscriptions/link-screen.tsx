import { Button } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router-dom'
import * as z from 'zod/mini'
import { parseId } from '#contracts/lib/common.ts'
import { normalizeVerificationCode } from '#contracts/rules/text.ts'
import { compareDevices } from '#contracts/rules/tracking/sorting.ts'
import { subscriptionKeys, subscriptionsApi } from '#web/billing/billing.queries.ts'
import classes from '#web/billing/shop/shop.module.css'
import { NoTrackerNotice, ProNote } from '#web/billing/subscription-notices.tsx'
import { ApiError } from '#web/lib/api/api-error.ts'
import { devicesQuery, trackerKeys } from '#web/trackers/trackers.queries.tsx'
import { RequiredLegend, TextField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { UnsavedGuard } from '#web/ui/overlay/unsaved-guard.tsx'
import { Page } from '#web/ui/page.tsx'

/** Links a subscription bought elsewhere to a tracker, by the code from the e-mail. */
export default function LinkScreen() {
  const { t } = useTranslation()
  const devices = useSuspenseQuery(devicesQuery()).data
  return (
    <Page
      isNarrow
      title={t('title.linkSubscription')}
      back={{ to: '/subscriptionSelector', label: t('nav.subscriptions') }}
      lead={devices.length > 0 && t('subscriptions.linkLead')}
    >
      {devices.length === 0 ? (
        <NoTrackerNotice />
      ) : (
        <LinkForm trackers={devices.toSorted(compareDevices).map(({ id, name }) => ({ value: String(id), label: name }))} />
      )}
    </Page>
  )
}

function LinkForm({ trackers }: { trackers: { value: string; label: string }[] }) {
  const { t } = useTranslation()
  const [params] = useSearchParams()
  const { form, field, isBusy, isDirty, failure, isPro } = useLinkForm()
  return (
    <form {...form} className={classes.parts}>
      <FormAlert>{failure}</FormAlert>
      {isPro && <ProNote />}
      <SelectField
        {...field('device')}
        required
        label={t('title.tracker')}
        defaultValue={params.get('device') ?? ''}
        data={[{ value: '', label: t('subscriptions.chooseTracker') }, ...trackers]}
      />
      <TextField
        {...field('code')}
        required
        label={t('subscriptions.code')}
        description={t('subscriptions.codeHint')}
        defaultValue={normalizeCode(params.get('code') ?? '')}
        onInput={({ currentTarget }) => {
          currentTarget.value = normalizeCode(currentTarget.value)
        }}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={20}
      />
      <RequiredLegend />
      <Button type="submit" size="md" h={48} loading={isBusy}>
        {t('subscriptions.link')}
      </Button>
      <UnsavedGuard isDirty={isDirty} />
    </form>
  )
}

/** Normalises a typed or pasted code: upper case, no dashes or spaces. */
const normalizeCode = (text: string) => text.toUpperCase().replace(/[\s-]/g, '')

const Form = z.object({ device: z.string(), code: z.string().check(z.refine((text) => normalizeVerificationCode(text) !== null)) })

/** Links a code on submit only: the endpoint changes state although it is a GET, so it must never be retried or prefetched. */
function useLinkForm() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [isPro, setPro] = useState(false)
  const submit = async ({ device, code }: z.infer<typeof Form>) => {
    setPro(false)
    try {
      const linked = await subscriptionsApi.linkByCode({ params: { deviceid: parseId(device) }, query: { code } })
      for (const queryKey of [trackerKeys.devices, subscriptionKeys.current]) void queries.invalidateQueries({ queryKey })
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

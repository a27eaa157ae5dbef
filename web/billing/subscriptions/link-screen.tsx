import { Button } from '@mantine/core'
import { type QueryClient, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router-dom'
import * as z from 'zod/mini'
import { parseId } from '#contracts/lib/common.ts'
import { normalizeLine } from '#contracts/rules/reading/text.ts'
import { compareDevices } from '#contracts/rules/tracking/sorting.ts'
import type { Device } from '#contracts/trackers/devices.ts'
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
      back={{ to: '/subscriptionSelector', label: t('nav.plans') }}
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
        defaultValue={params.get('code')?.trim() ?? ''}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        maxLength={64}
      />
      <RequiredLegend />
      <Button type="submit" size="md" h={48} loading={isBusy}>
        {t('subscriptions.link')}
      </Button>
      <UnsavedGuard isDirty={isDirty} />
    </form>
  )
}

/** Only the backend knows which form a code has. */
const Form = z.object({ device: z.string(), code: z.string().check(z.overwrite(normalizeLine), z.minLength(1)) })

/** Links a code on submit only: the endpoint changes state although it is a GET, so it must never be retried or prefetched. */
function useLinkForm() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [isPro, setPro] = useState(false)
  const submit = async ({ device, code }: z.infer<typeof Form>) => {
    setPro(false)
    try {
      const end = await linkCode(queries, parseId(device), code)
      for (const queryKey of [trackerKeys.devices, subscriptionKeys.current]) void queries.invalidateQueries({ queryKey })
      await navigate('/link_subscription_success', { replace: true, state: { device: parseId(device), end } })
    } catch (error) {
      setPro(error instanceof ApiError && error.code === 'device_linked_to_pro')
      throw error
    }
  }
  const form = useForm({
    schema: Form,
    submit,
    words: { code: t('subscriptions.noSubscription') },
    failure: ({ code, status }) => {
      if (code === 'code_expired' || code === 'code_void') return { code: t(`subscriptions.${code}`) }
      // Another backend may reject an unknown code with a message of its own.
      if (code !== 'device_linked_to_pro' && [400, 404, 410, 422].includes(status)) return t('subscriptions.noSubscription')
      return code === 'device_linked_to_pro' ? '' : undefined
    },
  })
  return { ...form, isPro }
}

/**
 * Links a code and returns the new end of the subscription. If the response is lost or incomplete, the end is read from the list of
 * trackers instead: sent again, the code would be rejected as used.
 */
async function linkCode(queries: QueryClient, deviceid: Device['id'], code: string): Promise<string | null> {
  const before = findEnd(await queries.fetchQuery(devicesQuery()), deviceid)
  try {
    return (await subscriptionsApi.linkByCode({ params: { deviceid }, query: { code } }, { staysOnNoAnswer: true })).sub_end_date
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const isDone = error.status >= 200 && error.status < 300
    if (!isDone && error.code !== 'no_answer') throw error
    const after = findEnd(await queries.fetchQuery({ ...devicesQuery(), staleTime: 0 }), deviceid)
    if (!isDone && after === before) throw error
    return after
  }
}

const findEnd = (devices: Device[], deviceid: Device['id']) =>
  devices.find(({ id }) => id === deviceid)?.tracker_status.sub_end_date ?? null

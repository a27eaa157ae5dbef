import { Button } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { byDeviceOrder } from '#contracts/rules/device-order.ts'
import { NoTracker } from '#web/billing/no-tracker.tsx'
import { ProNote } from '#web/billing/pro-note.tsx'
import classes from '#web/billing/shop/shop.module.css'
import { devicesQuery } from '#web/trackers/trackers.queries.ts'
import { TextField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { RequiredLegend } from '#web/ui/form/required-legend.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { UnsavedGuard } from '#web/ui/overlay/unsaved-guard.tsx'
import { Page } from '#web/ui/page.tsx'
import { useLink } from './use-link.ts'

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
        <NoTracker />
      ) : (
        <LinkForm trackers={devices.toSorted(byDeviceOrder).map(({ id, name }) => ({ value: String(id), label: name }))} />
      )}
    </Page>
  )
}

function LinkForm({ trackers }: { trackers: { value: string; label: string }[] }) {
  const { t } = useTranslation()
  const [params] = useSearchParams()
  const { form, field, isBusy, isDirty, failure, isPro } = useLink()
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
        defaultValue={typed(params.get('code') ?? '')}
        onInput={({ currentTarget }) => {
          currentTarget.value = typed(currentTarget.value)
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
const typed = (text: string) => text.toUpperCase().replace(/[\s-]/g, '')

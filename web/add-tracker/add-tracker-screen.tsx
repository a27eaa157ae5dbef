import { Button } from '@mantine/core'
import { IconArrowRight, IconUsers } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { sessionQuery, useHasRight } from '#web/signed-in/user.queries.ts'
import { KindChoice } from '#web/trackers/parts/kind-choice.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { RequiredLegend, TextField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { UnsavedGuard } from '#web/ui/overlay/unsaved-guard.tsx'
import { Page } from '#web/ui/page.tsx'
import classes from './add-tracker.module.css'
import { type AddedBy, formatTypedIdentifier, NumberField } from './number-field.tsx'
import { TypeField } from './type-field.tsx'
import { useAddTracker } from './use-add-tracker.ts'

/** Adds a tracker by its number. Team members only see assigned trackers and cannot add any. */
export default function AddTrackerScreen() {
  const { t } = useTranslation()
  useSuspenseQuery(sessionQuery())
  const mayAdd = useHasRight('ownTrackers')
  return (
    <Page isNarrow title={t('title.trackerAdd')} back={{ to: '/trackers', label: t('trackers.heading') }} lead={mayAdd && t('add.lead')}>
      {mayAdd ? <AddForm /> : <NotAllowed />}
    </Page>
  )
}

function NotAllowed() {
  const { t } = useTranslation()
  return (
    <Notice
      icon={<IconUsers size={30} />}
      title={t('add.notAllowed')}
      action={
        <Button component={Link} to="/trackers" variant="default">
          {t('trackers.heading')}
        </Button>
      }
    >
      {t('add.notAllowedLead')}
    </Notice>
  )
}

/** Asks for the model only when the server cannot derive it from the identifier. */
function AddForm() {
  const { t } = useTranslation()
  const [params] = useSearchParams()
  const [by, setBy] = useState<AddedBy>('identifier')
  const hasPhones = useFeature('phones')
  const { form, field, isBusy, isDirty, failure, asksType, isTaken } = useAddTracker(by)
  return (
    <form {...form} className={classes.form}>
      <FormAlert>{failure}</FormAlert>
      {isTaken && (
        <Link to="/conflicting" className={classes.conflict}>
          {t('add.isYours')}
          <IconArrowRight size={18} aria-hidden="true" />
        </Link>
      )}
      <NumberField
        by={by}
        onBy={setBy}
        hasPhones={hasPhones}
        field={field}
        defaultValue={formatTypedIdentifier(params.get('identifier') ?? '')}
      />
      {asksType && by !== 'phone' && <TypeField {...field('type')} />}
      <TextField {...field('name')} label={t('trackers.name')} required maxLength={TEXT_LENGTH.deviceName} autoComplete="off" />
      <KindChoice {...field('kind')} legend={t('add.kind')} />
      <RequiredLegend />
      <Button type="submit" size="md" h={48} loading={isBusy}>
        {t('add.submit')}
      </Button>
      <UnsavedGuard isDirty={isDirty && !isTaken} />
    </form>
  )
}

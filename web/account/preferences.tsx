import { useMutation, useQueryClient } from '@tanstack/react-query'
import i18next, { type TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type * as z from 'zod/mini'
import type { Settings, SettingsChange } from '#contracts/accounts/users.ts'
import type { Currency } from '#contracts/lib/currencies.ts'
import { LANGUAGES, type Language } from '#contracts/lib/languages.ts'
import { pickListed, withUnlisted } from '#contracts/lib/unknown-values.ts'
import { QuietHours } from '#web/account/quiet/quiet-hours.tsx'
import { ThemePicker } from '#web/layouts/theme-picker.tsx'
import { saveUnits, UNITS, useUnits } from '#web/lib/i18n/format.ts'
import { changeLanguage, currentLanguage } from '#web/lib/i18n/i18n.ts'
import { languageName } from '#web/lib/i18n/language-names.ts'
import { listAccountCurrencies } from '#web/lib/other-backends/account-currencies.ts'
import { useFeatures } from '#web/lib/other-backends/features.ts'
import { showToast } from '#web/lib/toasts.ts'
import { accountApi, settingsQuery } from '#web/signed-in/account.queries.ts'
import { userKeys } from '#web/signed-in/user.queries.ts'
import { Part } from '#web/ui/feedback/part.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { CheckboxField } from '#web/ui/form/checkbox-field.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { SegmentedControl } from '#web/ui/form/segmented-control.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import classes from './account.module.css'
import { canPush, Notifications } from './notices.tsx'

export function Preferences({ settings }: { settings: Settings }) {
  const { t, i18n } = useTranslation()
  const { set, hasFailed } = useSaveSetting()
  const has = useFeatures()
  const { marketing_consent, time_zone } = settings
  const language = pickListed(LANGUAGES, settings.language, currentLanguage())
  // A value outside the list is sent back unchanged. A backend that sends none would not store a choice.
  const currency = settings.currency ? (settings.currency as Currency) : undefined
  return (
    <div className={classes.form}>
      <FormAlert>{hasFailed ? t('error.general') : null}</FormAlert>
      <SelectField
        label={t('language.label')}
        description={describeLanguage(t, language)}
        value={language}
        onChange={({ target }) => set({ language: pickListed(LANGUAGES, target.value, language) }, { language })}
        data={LANGUAGES.map((tag) => ({ value: tag, label: languageName(tag) }))}
      />
      {currency && (
        <SelectField
          label={t('account.page.currency')}
          value={currency}
          onChange={({ target }) => set({ currency: target.value as Currency }, { currency })}
          data={withUnlisted(listAccountCurrencies(), currency).map((code) => ({
            value: code,
            label: formatCurrency(code, i18n.language),
          }))}
        />
      )}
      {time_zone !== undefined && (
        <SelectField
          label={t('account.page.timeZone')}
          description={describeZone(t, time_zone)}
          value={time_zone ?? ''}
          onChange={({ target }) => set({ time_zone: target.value || null }, { time_zone })}
          data={[
            { value: '', label: 'UTC' },
            ...listTimeZones(time_zone).map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
          ]}
        />
      )}
      {has('quietHours') && (
        <Part skeleton={<SkeletonRows count={1} />}>
          <QuietHours zone={time_zone ?? null} />
        </Part>
      )}
      {has('push') && canPush() && (
        <Part skeleton={<SkeletonRows count={1} />}>
          <Notifications />
        </Part>
      )}
      <CheckboxField
        checked={marketing_consent}
        onChange={({ target }) => set({ marketing_consent: target.checked }, { marketing_consent })}
        hint={t('account.field.consentHint')}
      >
        {t('account.field.consent')}
      </CheckboxField>
      <Appearance />
    </div>
  )
}

/** A device may show the portal in another language: that of its browser, or one selected on it. */
const describeLanguage = (t: TFunction, language: Language) => {
  const shown = currentLanguage()
  return shown === language
    ? t('account.page.languageHint')
    : t('account.page.languageElsewhere', { language: new Intl.DisplayNames([shown], { type: 'language' }).of(shown) })
}

/** `Euro (EUR)`; text that is not a currency code is returned unchanged. */
const formatCurrency = (code: string, language: string) => {
  if (!/^[a-z]{3}$/i.test(code)) return code
  return `${new Intl.DisplayNames([language], { type: 'currency' }).of(code.toUpperCase())} (${code.toUpperCase()})`
}

/** Settings stored in this browser, not in the account. */
export function Appearance() {
  const { t } = useTranslation()
  return (
    <>
      <div className={classes.choice}>
        <span aria-hidden="true">{t('theme.label')}</span>
        <ThemePicker />
      </div>
      <div className={classes.choice}>
        <span aria-hidden="true">{t('account.page.units')}</span>
        <SegmentedControl
          label={t('account.page.units')}
          value={useUnits()}
          onChange={saveUnits}
          options={UNITS.map((value) => ({ value, label: t(`account.page.unit.${value}`) }))}
        />
      </div>
    </>
  )
}

type Change = z.input<typeof SettingsChange>
/** `before` is the value that an undo restores; an undo itself has none. */
type Save = { change: Change; before?: Change }

const MUTATION = ['saveSettings']

/** Saves one setting optimistically. The toast offers to restore `before`; a rejected change is rolled back. */
function useSaveSetting() {
  const queries = useQueryClient()
  const { queryKey } = settingsQuery()
  const [hasFailed, setFailed] = useState(false)
  const save = useMutation({
    mutationKey: MUTATION,
    scope: { id: 'settings' },
    mutationFn: ({ change }: Save) => accountApi.changeSettings({ body: change }),
    onMutate: async ({ change }) => {
      const previousLanguage = currentLanguage()
      await queries.cancelQueries({ queryKey })
      const known = queries.getQueryData(queryKey)
      queries.setQueryData(queryKey, (settings) => settings && { ...settings, ...(change as Partial<Settings>) })
      if (change.language) await changeLanguage(change.language)
      return { known, previousLanguage }
    },
    // Not among the options of `mutate`, which apply only to the last of several changes.
    onSuccess: (_settings, { before }) => {
      if (before) showToast(i18next.t('form.saved'), () => save.mutate({ change: before }))
    },
    onError: (_error, { change }, was) => {
      setFailed(true)
      const { known } = was ?? {}
      const undone = known && Object.fromEntries(Object.keys(change).map((name) => [name, known[name as keyof Settings]]))
      queries.setQueryData(queryKey, (settings) => settings && { ...settings, ...undone })
      if (change.language && was) void changeLanguage(was.previousLanguage)
    },
    onSettled: async () => {
      if (queries.isMutating({ mutationKey: MUTATION }) > 1) return
      await Promise.all([queryKey, userKeys.me].map((each) => queries.invalidateQueries({ queryKey: each })))
    },
  })
  const set = (change: Change, before: Change) => {
    setFailed(false)
    save.mutate({ change, before })
  }
  return { set, hasFailed }
}

/** Shows the portal's time zone, if it differs from that of the e-mails. */
function describeZone(t: TFunction, zone: string | null) {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone
  const hint = t('account.page.timeZoneHint')
  return here === (zone ?? 'UTC') ? hint : `${hint}. ${t('account.page.timeZoneHere', { zone: here.replaceAll('_', ' ') })}`
}

/** All time zones the browser knows, plus `current` if the browser does not know it. */
const listTimeZones = (current: string | null) => {
  const known = Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')
  return current === null || known.includes(current) ? known : [current, ...known]
}

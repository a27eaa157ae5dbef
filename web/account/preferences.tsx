import { useMantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { CURRENCIES, LANGUAGES } from '#contracts/lib/constants.ts'
import type { Settings } from '#contracts/users.ts'
import { languageName } from '#web/lib/i18n/language-names.ts'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { Segmented } from '#web/ui/form/segmented.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { Tick } from '#web/ui/form/tick.tsx'
import classes from './account.module.css'
import { timeZones } from './time-zones.ts'
import { useSave } from './use-save.ts'

/** Language, currency, time zone and newsletter, each saved on change, and the colour scheme of this browser. */
export function Preferences({ settings }: { settings: Settings }) {
  const { t, i18n } = useTranslation()
  const { set, hasFailed } = useSave()
  const { marketing_consent, time_zone } = settings
  const language = LANGUAGES.find((known) => known === settings.language)
  const currency = CURRENCIES.find((known) => known === settings.currency)
  const currencyName = (code: string) => new Intl.DisplayNames([i18n.language], { type: 'currency' }).of(code.toUpperCase())
  return (
    <div className={classes.form}>
      <FormAlert>{hasFailed ? t('error.general') : null}</FormAlert>
      <SelectField
        label={t('language.label')}
        description={t('account.page.languageHint')}
        value={settings.language}
        onChange={({ target }) => set({ language: LANGUAGES.find((known) => known === target.value) }, { language })}
        data={LANGUAGES.map((tag) => ({ value: tag, label: languageName(tag) }))}
      />
      <SelectField
        label={t('account.page.currency')}
        value={settings.currency}
        onChange={({ target }) => set({ currency: CURRENCIES.find((known) => known === target.value) }, { currency })}
        data={CURRENCIES.map((code) => ({ value: code, label: `${currencyName(code)} (${code.toUpperCase()})` }))}
      />
      {time_zone !== undefined && (
        <SelectField
          label={t('account.page.timeZone')}
          description={t('account.page.timeZoneHint')}
          value={time_zone ?? ''}
          onChange={({ target }) => set({ time_zone: target.value || null }, { time_zone })}
          data={[{ value: '', label: 'UTC' }, ...timeZones(time_zone).map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))]}
        />
      )}
      <Tick
        checked={marketing_consent}
        onChange={({ target }) => set({ marketing_consent: target.checked }, { marketing_consent })}
        hint={t('account.field.consentHint')}
      >
        {t('account.field.consent')}
      </Tick>
      <Appearance />
    </div>
  )
}

/** The colour scheme is stored in this browser, not in the account. */
function Appearance() {
  const { t } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <div className={classes.choice}>
      <span aria-hidden="true">{t('theme.label')}</span>
      <Segmented
        label={t('theme.label')}
        value={colorScheme}
        onChange={setColorScheme}
        options={[
          { value: 'light', label: t('theme.light'), icon: <IconSun size={16} /> },
          { value: 'dark', label: t('theme.dark'), icon: <IconMoon size={16} /> },
          { value: 'auto', label: t('theme.auto'), icon: <IconDeviceDesktop size={16} /> },
        ]}
      />
    </div>
  )
}

import { IconChevronDown, IconLanguage } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { LANGUAGES, type Language } from '#contracts/constants.ts'
import { changeLanguage, language } from '#web/lib/i18n.ts'
import classes from './language-picker.module.css'

/** `Deutsch`: each language by its own name, which the browser knows. */
const nameOf = (tag: Language) => {
  const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)
}

const isLanguage = (value: string): value is Language => LANGUAGES.some((known) => known === value)

/** The browser's own select: light, and at home on every phone. */
export function LanguagePicker() {
  const { t } = useTranslation()
  return (
    <span className={classes.picker}>
      <IconLanguage size={18} aria-hidden="true" />
      <select
        aria-label={t('language.label')}
        value={language()}
        onChange={({ target }) => isLanguage(target.value) && void changeLanguage(target.value)}
      >
        {LANGUAGES.map((tag) => (
          <option key={tag} value={tag} lang={tag}>
            {nameOf(tag)}
          </option>
        ))}
      </select>
      <IconChevronDown size={14} aria-hidden="true" />
    </span>
  )
}

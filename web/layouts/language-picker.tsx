import { IconChevronDown, IconLanguage } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { LANGUAGES } from '#contracts/constants.ts'
import { changeLanguage, language } from '#web/lib/i18n.ts'
import { isLanguage, languageName } from '#web/lib/language-names.ts'
import classes from './language-picker.module.css'

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
            {languageName(tag)}
          </option>
        ))}
      </select>
      <IconChevronDown size={14} aria-hidden="true" />
    </span>
  )
}

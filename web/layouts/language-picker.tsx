import { IconChevronDown, IconLanguage } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LANGUAGES, type Language } from '#contracts/lib/languages.ts'
import { changeLanguage, currentLanguage } from '#web/lib/i18n/i18n.ts'
import { isLanguage, languageName } from '#web/lib/i18n/language-names.ts'
import classes from './language-picker.module.css'

/** A native select: small, and familiar on every phone. When translations fail to load the language stays the same, with a message. */
export function LanguagePicker() {
  const { t } = useTranslation()
  const [hasFailed, setFailed] = useState(false)
  const choose = (to: Language) => {
    setFailed(false)
    changeLanguage(to).catch(() => setFailed(true))
  }
  return (
    <span className={classes.picker}>
      <IconLanguage size={18} aria-hidden="true" />
      <select
        aria-label={t('language.label')}
        value={currentLanguage()}
        onChange={({ target }) => isLanguage(target.value) && choose(target.value)}
      >
        {LANGUAGES.map((tag) => (
          <option key={tag} value={tag} lang={tag}>
            {languageName(tag)}
          </option>
        ))}
      </select>
      <IconChevronDown size={14} aria-hidden="true" />
      {hasFailed && (
        <small role="alert" className={classes.failed}>
          {t('error.load')}
        </small>
      )}
    </span>
  )
}

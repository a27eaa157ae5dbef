import { useTranslation } from 'react-i18next'
import { LEVELS, levelOf } from './estimate-bits.ts'
import classes from './password-strength.module.css'

/** How hard the password is to guess: a bar and a word, and advice while it is weak. Nothing depends on it. */
export default function PasswordStrength({ password }: { password: string }) {
  const { t } = useTranslation()
  const level = levelOf(password)
  return (
    <div className={classes.strength} data-level={level}>
      <span aria-hidden="true" className={classes.bar}>
        {LEVELS.map((each, index) => (
          <i key={each} data-on={index <= LEVELS.indexOf(level) || undefined} />
        ))}
      </span>
      {/* No status: that is the outcome of what somebody does. */}
      <span aria-live="polite">
        {t(`account.strength.${level}`)}
        {level === 'weak' && <> {t('account.strength.advice')}</>}
      </span>
    </div>
  )
}

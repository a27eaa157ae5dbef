import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { LEGAL_NAMES } from '#contracts/lib/legal-names.ts'
import { readLegal } from '#web/legal/legal-places.ts'
import { config } from '#web/lib/config.ts'
import classes from './legal.module.css'

/** Links to terms, privacy policy and imprint, as far as the operator has them, and to the withdrawal from a contract. */
export default function LegalLinks({ onGo }: { onGo?: (() => void) | undefined }) {
  const { t, i18n } = useTranslation()
  const places = readLegal()
  return (
    <nav className={classes.links} aria-label={t('legal.label')}>
      {LEGAL_NAMES.filter((name) => places[name]).map((name) => {
        const url = places[name]?.url
        return url ? (
          <a key={name} href={url} target="_blank" rel="noreferrer" onClick={onGo}>
            {t(`legal.${name}`)}
          </a>
        ) : (
          <Link key={name} to={`/legal/${name}`} onClick={onGo}>
            {t(`legal.${name}`)}
          </Link>
        )
      })}
      {config().withdrawal && (
        <a href={`${config().withdrawal}?language=${i18n.language}`} onClick={onGo}>
          {t('legal.withdraw')}
        </a>
      )}
    </nav>
  )
}

import { IconKeyboard, IconLogout } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { ACCOUNT_GROUPS, useSectionFilter } from '#web/layouts/navigation/sections.tsx'
import { LegalFooter } from '#web/legal/legal-footer.tsx'
import { userNameQuery } from '#web/lib/api/user-name.ts'
import { shortcuts } from '#web/lib/navigation/shortcuts.ts'
import classes from './account-menu.module.css'
import { LanguagePicker } from './language-picker.tsx'
import { ThemePicker } from './theme-picker.tsx'

function AccountLinks({ onGo }: { onGo: () => void }) {
  const { t } = useTranslation()
  const allowed = useSectionFilter(true)
  const name = useQuery(userNameQuery()).data?.username
  const groups = ACCOUNT_GROUPS.map(({ word, sections }) => ({ word, sections: allowed(sections) })).filter(
    ({ sections }) => sections.length > 0,
  )
  return (
    <>
      {name && <p className={classes.name}>{t('nav.signedInAs', { name })}</p>}
      {groups.map(({ word, sections }) => (
        <ul key={word} aria-label={t(word)} className={classes.group}>
          {sections.map(({ to, word: label, Icon }) => (
            <li key={to}>
              <Link to={to} className={classes.link} onClick={onGo}>
                <Icon size={18} aria-hidden="true" />
                {t(label)}
              </Link>
            </li>
          ))}
        </ul>
      ))}
    </>
  )
}

/** Account pages, language, appearance and sign-out. */
export default function AccountPanel({ onGo }: { onGo: () => void }) {
  const { t } = useTranslation()
  return (
    <>
      <div className={classes.scroll}>
        <AccountLinks onGo={onGo} />
        <LanguagePicker />
        <ThemePicker />
        {shortcuts.areOffered() && (
          <button
            type="button"
            className={`${classes.link} ${classes.keys}`}
            onClick={() => {
              onGo()
              shortcuts.show(true)
            }}
          >
            <IconKeyboard size={18} aria-hidden="true" />
            {t('nav.shortcuts')}
          </button>
        )}
      </div>
      <LegalFooter onGo={onGo} />
      <Link to="/logout" className={`${classes.link} ${classes.out}`}>
        <IconLogout size={18} aria-hidden="true" />
        {t('account.signOut')}
      </Link>
    </>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { userNameQuery } from '#web/signed-in/user.queries.ts'
import classes from './account-menu.module.css'
import { ACCOUNT_GROUPS, useSectionFilter } from './sections.tsx'

/** The account's name and address, and links to every account page that the role may open. */
export function AccountLinks({ isOpen, onGo }: { isOpen: boolean; onGo: () => void }) {
  const { t } = useTranslation()
  const allowed = useSectionFilter(isOpen)
  const name = useQuery({ ...userNameQuery(), enabled: isOpen }).data?.username
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

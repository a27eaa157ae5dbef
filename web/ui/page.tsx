import { IconChevronLeft } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import classes from './page.module.css'

type Props = {
  title: string
  lead?: ReactNode
  /** Number of items, shown next to the title. */
  count?: number
  /** Link to the parent page. */
  back?: { to: string; label: string }
  /** On phones it is reached from the account page, and leads back there. */
  isInAccount?: boolean
  /** Buttons next to the title. */
  actions?: ReactNode
  /** Limits the line length, for forms and texts. */
  isNarrow?: boolean
  children: ReactNode
}

export const Page = ({ title, lead, count, back, actions, isNarrow = false, isInAccount = false, children }: Props) => (
  <div className={classes.page} data-narrow={isNarrow || undefined}>
    {back && <BackLink {...back} />}
    {isInAccount && <AccountBackLink />}
    <header className={classes.header}>
      <h1>
        {title} {count !== undefined && <span>{count}</span>}
      </h1>
      {actions && <div className={classes.actions}>{actions}</div>}
    </header>
    {lead && <p className={classes.lead}>{lead}</p>}
    {children}
  </div>
)

const BackLink = ({ to, label, isPhoneOnly }: { to: string; label: string; isPhoneOnly?: true }) => (
  <Link to={to} className={classes.back} data-phone={isPhoneOnly}>
    <IconChevronLeft size={18} aria-hidden="true" />
    {label}
  </Link>
)

/** Only for phones: a rail has a menu instead. */
export function AccountBackLink() {
  const { t } = useTranslation()
  return <BackLink to="/account" label={t('title.account')} isPhoneOnly />
}

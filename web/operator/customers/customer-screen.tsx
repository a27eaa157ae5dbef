import { Button } from '@mantine/core'
import { IconMail, IconUserQuestion } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, matchPath, useLocation } from 'react-router-dom'
import type { Customer } from '#contracts/operator/customers.ts'
import { useNow } from '#web/lib/clock.ts'
import { isLanguage, languageName } from '#web/lib/i18n/language-names.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { CustomerAside } from './customer-aside.tsx'
import classes from './customer-screen.module.css'
import { Alerts, Orders, Payments, People, Trackers } from './customer-tables.tsx'
import { customerQuery } from './customers.queries.ts'

/** Everything about one customer, and what helps. */
export default function CustomerScreen() {
  const { t } = useTranslation()
  const account = Number(matchPath('/operator/customers/:account', useLocation().pathname)?.params.account)
  const { data: customer } = useSuspenseQuery(customerQuery(account))
  if (!customer)
    return (
      <Notice
        isPage
        icon={<IconUserQuestion size={30} />}
        title={t('operator.customer.gone')}
        action={<Link to="/operator/customers">{t('operator.screens.customers')}</Link>}
      />
    )
  return (
    <div className={classes.page}>
      <div className={classes.main}>
        <p className={classes.crumbs}>
          <Link to="/operator/customers">{t('operator.screens.customers')}</Link>
          <span aria-hidden="true">›</span> {customer.number}
        </p>
        <Head customer={customer} />
        <Facts customer={customer} />
        <Trackers customer={customer} />
        <Payments customer={customer} />
        <Orders customer={customer} />
        <Alerts customer={customer} />
        {customer.people.length > 1 && <People customer={customer} />}
      </div>
      <CustomerAside customer={customer} />
    </div>
  )
}

const initialsOf = (text: string) =>
  text
    .split(/[\s@]+/)
    .flatMap(([letter]) => letter ?? [])
    .slice(0, 2)
    .join('')
    .toUpperCase()

function Head({ customer: { name, email, people, is_pro } }: { customer: Customer }) {
  const { t } = useTranslation()
  const [owner] = people
  const isLocked = people.some(({ locked_until }) => locked_until !== null)
  const about = [
    t(owner?.email_confirmed ? 'operator.customer.confirmed' : 'operator.customer.unconfirmed'),
    owner && isLanguage(owner.language) ? languageName(owner.language) : owner?.language,
    owner?.time_zone?.replaceAll('_', ' '),
  ].filter(Boolean)
  return (
    <header className={classes.head}>
      <span className={classes.initials} aria-hidden="true">
        {initialsOf(name || email)}
      </span>
      <div className={classes.who}>
        <h1>
          {name || email}
          {isLocked && <Badge tone="bad">{t('operator.customer.locked')}</Badge>}
          {is_pro && <Badge>{t('operator.customer.team')}</Badge>}
        </h1>
        <p>
          <span>{email}</span> · {about.join(' · ')}
        </p>
      </div>
      <Button component="a" href={`mailto:${email}`} variant="default" h={44} leftSection={<IconMail size={18} aria-hidden="true" />}>
        {t('operator.customer.write')}
      </Button>
    </header>
  )
}

function Facts({ customer: { created_at, trackers, paid, last_seen_at, counts } }: { customer: Customer }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  const missing = trackers.filter(({ reported_missing }) => reported_missing).length
  const sum = paid.map(({ amount, currency }) => formats.price(amount, currency)).join(' + ')
  return (
    <dl className={classes.facts}>
      <Fact name={t('operator.customers.since')}>{formats.date(created_at)}</Fact>
      <Fact name={t('operator.customers.trackers')}>
        {formats.number(counts.trackers)}
        {missing > 0 && <Badge tone="bad">{t('operator.customer.missingCount', { number: missing })}</Badge>}
      </Fact>
      <Fact name={t('operator.customer.renewing')}>{formats.number(trackers.filter(({ plan }) => plan?.renews).length)}</Fact>
      <Fact name={t('operator.customer.paid')}>{sum || '–'}</Fact>
      <Fact name={t('operator.staff.lastSeen')}>{last_seen_at ? formats.age(last_seen_at, now) : t('operator.staff.never')}</Fact>
    </dl>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

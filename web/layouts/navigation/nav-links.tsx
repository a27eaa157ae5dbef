import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router-dom'
import classes from './nav-item.module.css'
import { MAIN_SECTIONS, RAIL_SECTIONS, type Section, useSectionFilter } from './sections.tsx'

export function NavLinks() {
  const allowed = useSectionFilter(true)
  return (
    <>
      {allowed(MAIN_SECTIONS).map((section) => (
        <Item key={section.to} {...section} className={classes.item} />
      ))}
      {allowed(RAIL_SECTIONS).map((section) => (
        <Item key={section.to} {...section} className={`${classes.item} ${classes.roomy}`} />
      ))}
    </>
  )
}

function Item({ to, word, Icon, covers, className }: Section & { className: string | undefined }) {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const isOn = covers?.test(pathname) || undefined
  return (
    <Link to={to} className={className} data-on={isOn} aria-current={isOn && 'page'}>
      <Icon size={22} aria-hidden="true" />
      <span>{t(word)}</span>
    </Link>
  )
}

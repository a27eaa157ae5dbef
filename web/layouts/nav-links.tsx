import { useTranslation } from 'react-i18next'
import { NavLink, useLocation } from 'react-router-dom'
import classes from './nav-item.module.css'
import { MAIN } from './sections.tsx'

/** The sections of the portal that are always in sight. */
export function NavLinks() {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  return MAIN.map(({ to, word, Icon, covers }) => (
    <NavLink key={to} to={to} className={classes.item} data-on={covers?.test(pathname) || undefined}>
      <Icon size={22} aria-hidden="true" />
      <span>{t(word)}</span>
    </NavLink>
  ))
}

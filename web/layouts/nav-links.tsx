import { IconList, IconMap2 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { NavLink, useLocation } from 'react-router-dom'
import classes from './nav-item.module.css'

/** The sections of the portal; `covers` are the paths that belong to one. */
const SECTIONS = [
  { to: '/', word: 'nav.map', Icon: IconMap2, covers: /^\/(map|trackers\/\d+.*)?\/*$/ },
  { to: '/trackers', word: 'nav.trackers', Icon: IconList, covers: /^\/trackers\/*$/ },
] as const

export function NavLinks() {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  return SECTIONS.map(({ to, word, Icon, covers }) => (
    <NavLink key={to} to={to} className={classes.item} data-on={covers.test(pathname) || undefined}>
      <Icon size={22} aria-hidden="true" />
      <span>{t(word)}</span>
    </NavLink>
  ))
}

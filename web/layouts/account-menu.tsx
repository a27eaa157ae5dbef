import { useClickOutside } from '@mantine/hooks'
import { IconUserCircle } from '@tabler/icons-react'
import { type ReactNode, Suspense, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router-dom'
import item from '#web/layouts/navigation/nav-item.module.css'
import { accountHighlight } from '#web/layouts/navigation/sections.tsx'
import { lazy } from '#web/lib/chunk.ts'
import { useIsPhone } from '#web/lib/use-media.ts'
import classes from './account-menu.module.css'

const AccountPanel = lazy(() => import('./account-panel.tsx'))

/** On a phone a tab that opens the account page; next to a rail a menu. */
export function AccountMenu() {
  const { t } = useTranslation()
  const isOn = accountHighlight(useLocation().pathname)
  const label = (
    <>
      <IconUserCircle size={22} aria-hidden="true" />
      <span>{t('nav.account')}</span>
    </>
  )
  if (!useIsPhone()) return <Menu isOn={isOn}>{label}</Menu>
  return (
    <Link to="/account" className={`${item.item} ${item.last}`} data-on={isOn} aria-current={isOn && 'page'}>
      {label}
    </Link>
  )
}

type MenuProps = { isOn: ReturnType<typeof accountHighlight>; children: ReactNode }

/** A disclosure; Escape or a click outside closes it. */
function Menu({ isOn, children }: MenuProps) {
  const { t } = useTranslation()
  const menu = useId()
  const [isOpen, setOpen] = useState(false)
  const [wasOpen, setWasOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const wrapper = useClickOutside(() => setOpen(false))
  const toggle = () => {
    setOpen(!isOpen)
    setWasOpen(true)
  }
  const closeByKey = () => {
    setOpen(false)
    button.current?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens for Escape from the controls inside
    <div ref={wrapper} className={item.last} onKeyDown={({ key }) => key === 'Escape' && isOpen && closeByKey()}>
      <button
        ref={button}
        type="button"
        className={item.item}
        data-on={isOn}
        aria-label={t('account.menu')}
        aria-expanded={isOpen}
        aria-controls={menu}
        onClick={toggle}
      >
        {children}
      </button>
      <div id={menu} className={classes.menu} hidden={!isOpen}>
        {wasOpen && (
          <Suspense>
            <AccountPanel onGo={() => setOpen(false)} />
          </Suspense>
        )}
      </div>
    </div>
  )
}

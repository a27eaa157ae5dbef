import { useMantineColorScheme } from '@mantine/core'
import { useClickOutside } from '@mantine/hooks'
import { IconDeviceDesktop, IconKeyboard, IconLogout, IconMoon, IconSun, IconUserCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router-dom'
import item from '#web/layouts/navigation/nav-item.module.css'
import { ACCOUNT_GROUPS, accountHighlight, useSectionFilter } from '#web/layouts/navigation/sections.tsx'
import { shortcuts } from '#web/lib/navigation/shortcuts.ts'
import { userNameQuery } from '#web/signed-in/user.queries.ts'
import { SegmentedControl } from '#web/ui/form/segmented-control.tsx'
import classes from './account-menu.module.css'
import { LanguagePicker } from './language-picker.tsx'

function AccountLinks({ isOpen, onGo }: { isOpen: boolean; onGo: () => void }) {
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

/** A disclosure with account pages, language, appearance and sign-out; Escape or a click outside closes it. */
export function AccountMenu() {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const menu = useId()
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const wrapper = useClickOutside(() => setOpen(false))
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
        data-on={accountHighlight(pathname)}
        aria-label={t('account.menu')}
        aria-expanded={isOpen}
        aria-controls={menu}
        onClick={() => setOpen(!isOpen)}
      >
        <IconUserCircle size={22} aria-hidden="true" />
        <span>{t('nav.account')}</span>
      </button>
      <div id={menu} className={classes.menu} hidden={!isOpen}>
        <div className={classes.scroll}>
          <AccountLinks isOpen={isOpen} onGo={() => setOpen(false)} />
          <LanguagePicker />
          <SegmentedControl
            label={t('theme.label')}
            value={colorScheme}
            onChange={setColorScheme}
            options={[
              { value: 'light', label: t('theme.light'), icon: <IconSun size={16} /> },
              { value: 'dark', label: t('theme.dark'), icon: <IconMoon size={16} /> },
              { value: 'auto', label: t('theme.auto'), icon: <IconDeviceDesktop size={16} /> },
            ]}
          />
          {shortcuts.areOffered() && (
            <button
              type="button"
              className={`${classes.link} ${classes.keys}`}
              onClick={() => {
                setOpen(false)
                shortcuts.show(true)
              }}
            >
              <IconKeyboard size={18} aria-hidden="true" />
              {t('nav.shortcuts')}
            </button>
          )}
        </div>
        <Link to="/logout" className={`${classes.link} ${classes.out}`}>
          <IconLogout size={18} aria-hidden="true" />
          {t('account.signOut')}
        </Link>
      </div>
    </div>
  )
}

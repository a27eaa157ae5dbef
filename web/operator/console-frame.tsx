import { IconLogout } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router-dom'
import type { StaffSession } from '#contracts/operator/staff.ts'
import { DAY_MS } from '#contracts/rules/time.ts'
import { LanguagePicker } from '#web/layouts/language-picker.tsx'
import { ThemePicker } from '#web/layouts/theme-picker.tsx'
import { useNow } from '#web/lib/clock.ts'
import { config } from '#web/lib/config.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { showToast } from '#web/lib/toasts.ts'
import { sessionApi } from '#web/operator/session/operator.api.ts'
import { roleName } from '#web/operator/session/role-name.ts'
import { setSession } from '#web/operator/session/session-state.ts'
import { ConsoleKeys } from '#web/operator/workbench/console-keys.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Logo } from '#web/ui/logo.tsx'
import classes from './console-frame.module.css'
import { findScreenAt, listScreensOf } from './screens.ts'

/** The sidebar with the screens that the role may see, and who is signed in. */
export function ConsoleFrame({ session, children }: { session: StaffSession; children: ReactNode }) {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  useTitle(pathname)
  const entries = useRef<HTMLUListElement>(null)
  const word = findScreenAt(pathname)?.entry.word
  // On small screens the entries are scrolled.
  useEffect(() => {
    if (word) entries.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [word])
  return (
    <div className={classes.frame}>
      <a href="#screen" className={classes.skip}>
        {t('app.skip')}
      </a>
      <header className={classes.side}>
        <p className={classes.brand}>
          <Logo />
          <span>
            <strong>{config().productName}</strong>
            <small>{t('title.operator')}</small>
          </span>
        </p>
        <nav aria-label={t('app.navigation')}>
          <ul ref={entries} className={classes.entries}>
            {listScreensOf(session.staff.role).map(({ path, entry: { word: name, Icon } }) => (
              <li key={path}>
                <Link to={path} className={classes.entry} aria-current={name === word && 'page'}>
                  <Icon size={20} stroke={1.75} aria-hidden="true" />
                  {t(`operator.screens.${name}`)}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <Member session={session} />
      </header>
      <div className={classes.top}>
        <span className={classes.keys}>
          <ConsoleKeys />
        </span>
        <LanguagePicker />
        <ThemePicker />
      </div>
      <Content pathname={pathname}>{children}</Content>
    </div>
  )
}

/** Moves the focus after a navigation, so that the keyboard and screen readers continue from the new screen. */
function Content({ pathname, children }: { pathname: string; children: ReactNode }) {
  const content = useRef<HTMLDivElement>(null)
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current !== pathname) content.current?.focus({ preventScroll: true })
    shown.current = pathname
  }, [pathname])
  return (
    <div id="screen" ref={content} tabIndex={-1} className={classes.content}>
      {children}
    </div>
  )
}

/** The route table names the console as a whole; each of its screens has a title too. */
function useTitle(pathname: string) {
  const { t } = useTranslation()
  const word = findScreenAt(pathname)?.entry.word
  useEffect(() => {
    document.title = `${config().productName} - ${word ? t(`operator.screens.${word}`) : t('title.operator')}`
  }, [t, word])
}

const initialsOf = (name: string) =>
  name
    .split(/\s+/)
    .flatMap(([letter]) => letter ?? [])
    .slice(0, 2)
    .join('')
    .toUpperCase()

function Member({ session: { staff, expires_at } }: { session: StaffSession }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const role = roleName(t, staff.role)
  // A session of a world has no end.
  const left = new Date(expires_at).getTime() - useNow().getTime()
  const { mutate: signOut } = useMutation({
    mutationFn: () => sessionApi.end(),
    onSuccess: () => setSession('none'),
    onError: () => showToast(t('error.general')),
  })
  return (
    <div className={classes.member}>
      <span className={classes.initials} aria-hidden="true">
        {initialsOf(staff.name)}
      </span>
      <span className={classes.who}>
        <strong>{staff.name}</strong>
        <small>{left < DAY_MS ? t('operator.member', { role, time: formats.duration(left) }) : role}</small>
      </span>
      <IconButton label={t('account.signOut')} Icon={IconLogout} onClick={() => signOut()} />
    </div>
  )
}

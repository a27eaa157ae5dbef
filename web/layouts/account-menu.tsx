import '@mantine/core/styles/Popover.css'
import { Popover, useMantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconLogout, IconMoon, IconSun, IconUserCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { Segmented } from '#web/ui/segmented.tsx'
import classes from './account-menu.module.css'
import { LanguagePicker } from './language-picker.tsx'
import item from './nav-item.module.css'

/** Language, appearance and the way out. */
export function AccountMenu() {
  const { t } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Popover position="right-end" width={288} trapFocus returnFocus shadow="md" radius="lg" transitionProps={{ duration: 0 }}>
      <Popover.Target>
        <button type="button" className={`${item.item} ${item.last}`} aria-label={t('account.menu')}>
          <IconUserCircle size={22} aria-hidden="true" />
          <span>{t('nav.account')}</span>
        </button>
      </Popover.Target>
      <Popover.Dropdown className={classes.menu} aria-label={t('account.menu')}>
        <LanguagePicker />
        <Segmented
          label={t('theme.label')}
          value={colorScheme}
          onChange={setColorScheme}
          options={[
            { value: 'light', label: t('theme.light'), icon: <IconSun size={16} /> },
            { value: 'dark', label: t('theme.dark'), icon: <IconMoon size={16} /> },
            { value: 'auto', label: t('theme.auto'), icon: <IconDeviceDesktop size={16} /> },
          ]}
        />
        <Link to="/logout" className={classes.out}>
          <IconLogout size={18} aria-hidden="true" />
          {t('account.signOut')}
        </Link>
      </Popover.Dropdown>
    </Popover>
  )
}

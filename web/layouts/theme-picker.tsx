import { useMantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { SegmentedControl } from '#web/ui/form/segmented-control.tsx'

/** The colour scheme is stored in this browser, not in the account. */
export function ThemePicker() {
  const { t } = useTranslation()
  // Mantine would suppress transitions by a style element, which the content security policy does not allow.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  return (
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
  )
}

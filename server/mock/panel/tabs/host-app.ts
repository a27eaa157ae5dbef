import { DeeplinkFlag } from '#contracts/rules/navigation.ts'
import { button, checkbox, choice, form, group, line, note, optionsOf, text } from '#server/mock/panel/parts/controls.ts'
import { element } from '#server/mock/panel/parts/element.ts'
import type { Tab } from '#server/mock/panel/parts/tab.ts'

const REMEMBERED = ['platform', 'bundleId', 'hostAppVersion', 'integerVersion', 'hostOs', 'deeplinkCapability', 'nativeApp'] as const

/** Simulates the native app around the portal, which passes facts about itself in the URL. */
export const hostApp: Tab = {
  id: 'host-app',
  title: 'Host app',
  show(context) {
    const remembered = (key: (typeof REMEMBERED)[number]) => localStorage.getItem(key)
    const capability = Number(remembered('deeplinkCapability') ?? 0)
    const platform = choice('Platform', optionsOf(['ios', 'android']), remembered('platform') ?? 'ios')
    const bundle = text('Bundle', { value: remembered('bundleId') ?? 'com.example.portal', size: '18', required: true })
    const version = text('Version', {
      value: remembered('hostAppVersion') ?? '1.12.3',
      size: '7',
      required: true,
      pattern: '\\d+(\\.\\d+){0,2}',
    })
    const os = text('OS', { value: remembered('hostOs') ?? 'ios', size: '8' })
    const findMy = checkbox('Can open Find My (1)', (capability & DeeplinkFlag.FindMy) > 0)
    const boost = checkbox('Can boost in real time (2)', (capability & DeeplinkFlag.RealtimeBoost) > 0)
    const native = checkbox('Native app', remembered('nativeApp') === 'true')

    const forget = () => {
      for (const key of REMEMBERED) localStorage.removeItem(key)
    }
    context.fill(
      group(
        'Current host app',
        element('dl', {}, ...REMEMBERED.flatMap((key) => [element('dt', {}, key), element('dd', {}, remembered(key) ?? '–')])),
        line(
          button(context, 'A plain browser', () => {
            forget()
            context.reload('The portal runs in a plain browser')
          }),
        ),
      ),
      group(
        'Simulate an app',
        form(context, 'Load in this app', [platform, bundle, version, os, findMy, boost, native], () => {
          forget()
          const address = new URL(location.href)
          address.searchParams.set('host_version', `${platform.read()}-${bundle.read()}-${version.read()}`)
          if (os.read()) address.searchParams.set('host_os', os.read())
          const bits = (findMy.read() ? DeeplinkFlag.FindMy : 0) | (boost.read() ? DeeplinkFlag.RealtimeBoost : 0)
          address.searchParams.set('deeplink', String(bits))
          if (native.read()) address.searchParams.set('native_app', '1')
          location.assign(address)
        }),
        note('The facts are passed in the URL, as the native apps do.'),
      ),
    )
  },
}

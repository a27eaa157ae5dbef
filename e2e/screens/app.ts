import { alice, anyone, native, type Screen } from './screen.ts'

const ableApp = { local: { nativeApp: 'true', deeplinkCapability: '3' } }

export const app: Screen[] = [
  anyone('contactUs', '/contact_us'),
  anyone('startTrackApp', '/start_track_app/'),
  anyone('startSdcApp', '/start_sdc_app/'),
  anyone('installRestart', '/install_restart'),
  anyone('installQuit', '/install_quit'),
  anyone('main', '/main', { kept: native }),
  alice('verifyAuth', '/verify_auth'),
  anyone('deepLink', '/deep-link?target=elsewhere'),
  anyone('nativeFindmy', '/app/native/findmy'),
  anyone('nativeFindmy', '/app/native/findmy', { state: 'able', kept: ableApp }),
  anyone('nativeRtb', '/app/native/rtb'),
  anyone('nativeRtb', '/app/native/rtb', { state: 'able', kept: ableApp }),
  anyone('appNeedsUpdate', '/exit'),
  anyone('operator', '/operator', { fails: true }),
  anyone('legal', '/legal/terms'),
  anyone('devUi', '/dev/ui'),
  anyone('error', '/error'),
  anyone('notFound', '/nope'),
  alice('notFound', '/nope', { state: 'inside' }),
]

import { type Command, callCommand } from './command.ts'
import { contractsCommands } from './contracts.ts'
import { doctor } from './doctor.ts'
import { login } from './login.ts'
import { snapshotFiles } from './snapshot-files.ts'
import { tail } from './tail.ts'
import { up } from './up.ts'

const WORLDS = ['id', 'scenario', 'storage', 'clock.now', 'clock.mode', 'expires_at']
const MAILS = ['id', 'to', 'template', 'language', 'subject', 'created_at']
const REQUESTS = ['id', 'at', 'method', 'url', 'status', 'duration_ms', 'user', 'verdict']
const FAULTS = ['id', 'effect', 'matched', 'happened']
const EVENTS = ['id', 'type', 'created', 'state']

export const commands: readonly Command[] = [
  up,
  doctor,
  callCommand('world', 'worlds.about', 'world --world mine'),
  callCommand('world list', 'worlds.list', 'world list', { columns: WORLDS, isWorldless: true }),
  callCommand('world create', 'worlds.create', 'world create mine --scenario theft --ttl-seconds 600', {
    args: ['id?'],
    isWorldless: true,
  }),
  callCommand('world show', 'worlds.read', 'world show mine', { args: ['id'], isWorldless: true }),
  callCommand('world clone', 'worlds.clone', 'world clone mine', { args: ['id'], isWorldless: true }),
  callCommand('world delete', 'worlds.remove', 'world delete mine', { args: ['id'], isWorldless: true }),
  callCommand('reset', 'worlds.reset', 'reset --world mine --scenario billing_trouble'),
  callCommand('scenarios', 'scenarios.list', 'scenarios', { columns: ['key', 'title', 'personas'], isWorldless: true }),
  callCommand('personas', 'scenarios.personas', 'personas --world mine', {
    columns: ['key', 'name', 'email', 'password', 'role', 'language'],
  }),
  login,
  callCommand('clock', 'clock.read', 'clock --world mine'),
  callCommand('clock set', 'clock.set', 'clock set 2026-03-29T00:30:00Z', { args: ['at?'] }),
  callCommand('clock freeze', 'clock.put', 'clock freeze', { args: ['at?'], fixed: { mode: 'frozen' } }),
  callCommand('clock flow', 'clock.put', 'clock flow --rate 60', { args: ['at?'], fixed: { mode: 'flow' } }),
  callCommand('clock advance', 'clock.advance', 'clock advance P3D --world mine', { args: ['by'] }),
  callCommand('clock until', 'clock.until', 'clock until renewal', { args: ['event'] }),
  callCommand('fault', 'faults.list', 'fault', { columns: FAULTS }),
  callCommand('fault set', 'faults.create', 'fault set status --status 500 --route places.list --times 1', { args: ['effect'] }),
  callCommand('fault preset', 'faults.preset', 'fault preset flaky', { args: ['name'], columns: FAULTS }),
  callCommand('fault remove', 'faults.remove', 'fault remove 1', { args: ['id'] }),
  callCommand('fault clear', 'faults.clear', 'fault clear'),
  tail,
  callCommand('requests', 'requests.list', 'requests --limit 20', { columns: REQUESTS }),
  callCommand('requests find', 'requests.find', 'requests find --persona alice --status 500', { columns: REQUESTS }),
  callCommand('requests count', 'requests.count', 'requests count --route places.list'),
  callCommand('requests wait', 'requests.wait', 'requests wait --route orders.create --timeout-ms 10000', { columns: REQUESTS }),
  callCommand('requests verify', 'requests.verify', 'requests verify --route links.create --count 1'),
  callCommand('requests har', 'requests.har', 'requests har -o calls.har'),
  callCommand('requests clear', 'requests.clear', 'requests clear'),
  callCommand('violations', 'violations.list', 'violations', { columns: ['id', 'method', 'url', 'status', 'side', 'path', 'message'] }),
  callCommand('violations clear', 'violations.clear', 'violations clear'),
  callCommand('mail', 'mail.list', 'mail --to alice@example.com', { columns: MAILS }),
  callCommand('mail wait', 'mail.wait', 'mail wait alice@example.com --template password_reset', { args: ['to'] }),
  callCommand('mail read', 'mail.read', 'mail read 3', { args: ['id'] }),
  callCommand('mail text', 'mail.text', 'mail text 3', { args: ['id'] }),
  callCommand('mail html', 'mail.html', 'mail html 3 -o mail.html', { args: ['id'] }),
  callCommand('mail eml', 'mail.eml', 'mail eml 3 -o mail.eml', { args: ['id'] }),
  callCommand('mail preview', 'mail.preview', 'mail preview place_alert --locale ja', { args: ['template'], isWorldless: true }),
  callCommand('mail bounce', 'mail.bounce', 'mail bounce 3', { args: ['id'] }),
  callCommand('pay complete', 'payments.complete', 'pay complete cs_test_1 declined', { args: ['id', 'card'] }),
  callCommand('pay cancel', 'payments.cancel', 'pay cancel cs_test_1', { args: ['id'] }),
  callCommand('pay expire', 'payments.expire', 'pay expire cs_test_1', { args: ['id'] }),
  callCommand('pay renew', 'payments.renew', 'pay renew 12 --outcome declined', { args: ['id'] }),
  callCommand('pay webhooks', 'payments.webhooks', 'pay webhooks'),
  callCommand('pay webhooks set', 'payments.setWebhooks', 'pay webhooks set --mode manual --duplicate'),
  callCommand('pay events', 'payments.events', 'pay events', { columns: EVENTS }),
  callCommand('pay deliver', 'payments.deliver', 'pay deliver evt_1', { args: ['id'] }),
  callCommand('pay flush', 'payments.flush', 'pay flush', { columns: EVENTS }),
  callCommand('sim', 'sim.read', 'sim'),
  callCommand('sim set', 'sim.set', 'sim set --no-is-running'),
  callCommand('sim position', 'sim.position', 'sim position 1 -34.9055 -56.1913', { args: ['id', 'lat', 'lng'] }),
  callCommand('sim drive', 'sim.drive', 'sim drive 1 --route "Ellauri 350" --speed-kmh 30', { args: ['id'], files: ['gpx'] }),
  callCommand('sim event', 'sim.event', 'sim event 1 --type BATTERY_LOW --battery 9', { args: ['id', 'type?'] }),
  callCommand('sim communicate', 'sim.communicate', 'sim communicate 1', { args: ['id'] }),
  callCommand('sim silence', 'sim.silence', 'sim silence 1 --for P100D', { args: ['id'] }),
  callCommand('entity list', 'entities.list', 'entity list trackers', { args: ['type'] }),
  callCommand('entity create', 'entities.create', 'entity create trackers --owner alice --traits low_battery', { args: ['type'] }),
  callCommand('entity change', 'entities.change', `entity change places 1 --data '{"name":"Home"}'`, { args: ['type', 'id'] }),
  callCommand('entity delete', 'entities.remove', 'entity delete places 1', { args: ['type', 'id'] }),
  callCommand('job', 'jobs.list', 'job', { columns: ['name', 'due', 'next'] }),
  callCommand('job run', 'jobs.run', 'job run link_expiry', { args: ['name'] }),
  callCommand('snapshot', 'snapshots.list', 'snapshot', { columns: ['name', 'scenario', 'seed', 'clock.now', 'bytes'], isWorldless: true }),
  callCommand('snapshot save', 'snapshots.create', 'snapshot save before --world mine', { args: ['name?'] }),
  callCommand('snapshot restore', 'snapshots.restore', 'snapshot restore before --world mine', { args: ['name'] }),
  ...snapshotFiles,
  callCommand('snapshot delete', 'snapshots.remove', 'snapshot delete before', { args: ['name'], isWorldless: true }),
  ...contractsCommands,
]

import { type Command, createCommand } from './command.ts'
import { doctorCommand } from './doctor.ts'
import { fromHarCommand } from './from-har.ts'
import { contractsCommands, loginCommand, snapshotFileCommands, stripeCommand, upCommand, worldFileCommands } from './local-commands.ts'
import { createMcpCommand } from './mcp.ts'
import { tailCommand } from './tail.ts'

const WORLDS = ['id', 'scenario', 'storage', 'clock.now', 'clock.mode', 'expires_at']
const MAILS = ['id', 'to', 'template', 'language', 'subject', 'created_at']
const REQUESTS = ['id', 'at', 'method', 'url', 'status', 'duration_ms', 'user', 'verdict']
const FAULTS = ['id', 'words', 'matched', 'happened']
const EVENTS = ['id', 'type', 'created', 'state']

const controls: readonly Command[] = [
  upCommand,
  doctorCommand,
  createCommand('world', 'worlds.about', 'world --world mine'),
  createCommand('world list', 'worlds.list', 'world list', { columns: WORLDS, isWorldless: true }),
  ...worldFileCommands,
  fromHarCommand,
  createCommand('world show', 'worlds.read', 'world show mine', { args: ['id'], isWorldless: true }),
  createCommand('world clone', 'worlds.clone', 'world clone mine', { args: ['id'], isWorldless: true }),
  createCommand('world delete', 'worlds.remove', 'world delete mine', { args: ['id'], isWorldless: true }),
  createCommand('reset', 'worlds.reset', 'reset --world mine --scenario billing_trouble'),
  createCommand('scenarios', 'scenarios.list', 'scenarios', { columns: ['key', 'title', 'personas'], isWorldless: true }),
  createCommand('personas', 'scenarios.personas', 'personas --world mine', {
    columns: ['key', 'name', 'email', 'password', 'role', 'language'],
  }),
  loginCommand,
  createCommand('token', 'scenarios.token', 'token alice --scopes trackers:read --world mine', { args: ['persona'] }),
  createCommand('second-factor', 'secondFactor.code', 'second-factor alice@example.com --world mine', { args: ['email'] }),
  createCommand('clock', 'clock.read', 'clock --world mine'),
  createCommand('clock set', 'clock.set', 'clock set 2026-03-29T00:30:00Z', { args: ['at?'] }),
  createCommand('clock freeze', 'clock.put', 'clock freeze', { args: ['at?'], fixed: { mode: 'frozen' } }),
  createCommand('clock flow', 'clock.put', 'clock flow --rate 60', { args: ['at?'], fixed: { mode: 'flow' } }),
  createCommand('clock advance', 'clock.advance', 'clock advance P3D --world mine', { args: ['by'] }),
  createCommand('clock until', 'clock.until', 'clock until renewal', { args: ['event'] }),
  createCommand('fault', 'faults.list', 'fault', { columns: FAULTS }),
  createCommand('fault set', 'faults.create', 'fault set status --status 500 --route places.list --times 1', { args: ['effect'] }),
  createCommand('fault preset', 'faults.preset', 'fault preset flaky', { args: ['name'], columns: FAULTS }),
  createCommand('fault remove', 'faults.remove', 'fault remove 1', { args: ['id'] }),
  createCommand('fault clear', 'faults.clear', 'fault clear'),
  tailCommand,
  createCommand('requests', 'requests.list', 'requests --limit 20', { columns: REQUESTS }),
  createCommand('requests find', 'requests.find', 'requests find --persona alice --status 500', { columns: REQUESTS }),
  createCommand('requests count', 'requests.count', 'requests count --route places.list'),
  createCommand('requests wait', 'requests.wait', 'requests wait --route orders.create --timeout-ms 10000', { columns: REQUESTS }),
  createCommand('requests verify', 'requests.verify', 'requests verify --route links.create --count 1'),
  createCommand('requests har', 'requests.har', 'requests har -o calls.har', { isTool: false }),
  createCommand('requests clear', 'requests.clear', 'requests clear'),
  createCommand('violations', 'violations.list', 'violations', { columns: ['id', 'method', 'url', 'status', 'side', 'path', 'message'] }),
  createCommand('violations clear', 'violations.clear', 'violations clear'),
  createCommand('mail', 'mail.list', 'mail --to alice@example.com', { columns: MAILS }),
  createCommand('mail wait', 'mail.wait', 'mail wait alice@example.com --template password_reset', { args: ['to'] }),
  createCommand('mail read', 'mail.read', 'mail read 3', { args: ['id'] }),
  createCommand('mail text', 'mail.text', 'mail text 3', { args: ['id'] }),
  createCommand('mail html', 'mail.html', 'mail html 3 -o mail.html', { args: ['id'] }),
  createCommand('mail eml', 'mail.eml', 'mail eml 3 -o mail.eml', { args: ['id'] }),
  createCommand('mail preview', 'mail.preview', 'mail preview place_alert --locale ja', { args: ['template'], isWorldless: true }),
  createCommand('mail bounce', 'mail.bounce', 'mail bounce 3', { args: ['id'] }),
  createCommand('downlinks', 'downlinks.list', 'downlinks', { columns: ['id', 'at', 'url', 'accepted'] }),
  createCommand('downlinks wait', 'downlinks.wait', 'downlinks wait --count 1 --timeout-ms 10000', {
    columns: ['id', 'at', 'url', 'accepted'],
  }),
  createCommand('downlinks clear', 'downlinks.clear', 'downlinks clear'),
  createCommand('pushes', 'pushes.list', 'pushes', { columns: ['id', 'at', 'user', 'title', 'url'] }),
  createCommand('pushes wait', 'pushes.wait', 'pushes wait --user alice@example.com --timeout-ms 10000'),
  createCommand('pushes gone', 'pushes.gone', 'pushes gone 3', { args: ['id'] }),
  createCommand('pay complete', 'payments.complete', 'pay complete cs_test_1 declined', { args: ['id', 'card'] }),
  createCommand('pay cancel', 'payments.cancel', 'pay cancel cs_test_1', { args: ['id'] }),
  createCommand('pay expire', 'payments.expire', 'pay expire cs_test_1', { args: ['id'] }),
  createCommand('pay renew', 'payments.renew', 'pay renew 12 --outcome declined', { args: ['id'] }),
  createCommand('pay webhooks', 'payments.webhooks', 'pay webhooks'),
  createCommand('pay webhooks set', 'payments.setWebhooks', 'pay webhooks set --mode manual --duplicate'),
  createCommand('pay events', 'payments.events', 'pay events', { columns: EVENTS }),
  createCommand('pay deliver', 'payments.deliver', 'pay deliver evt_1', { args: ['id'] }),
  createCommand('pay flush', 'payments.flush', 'pay flush', { columns: EVENTS }),
  createCommand('sim', 'sim.read', 'sim'),
  createCommand('sim set', 'sim.set', 'sim set --no-is-running'),
  createCommand('sim position', 'sim.position', 'sim position 1 -34.9055 -56.1913', { args: ['id', 'lat', 'lng'] }),
  createCommand('sim drive', 'sim.drive', 'sim drive 1 --route "Ellauri 350" --speed-kmh 30', { args: ['id'], files: ['gpx'] }),
  createCommand('sim event', 'sim.event', 'sim event 1 --type BATTERY_LOW --battery 9', { args: ['id', 'type?'] }),
  createCommand('sim communicate', 'sim.communicate', 'sim communicate 1', { args: ['id'] }),
  createCommand('sim silence', 'sim.silence', 'sim silence 1 --for P100D', { args: ['id'] }),
  createCommand('entity list', 'entities.list', 'entity list trackers', { args: ['type'] }),
  createCommand('entity create', 'entities.create', 'entity create trackers --owner alice --traits low_battery', { args: ['type'] }),
  createCommand('entity change', 'entities.change', `entity change places 1 --data '{"name":"Home"}'`, { args: ['type', 'id'] }),
  createCommand('entity delete', 'entities.remove', 'entity delete places 1', { args: ['type', 'id'] }),
  createCommand('job', 'jobs.list', 'job', { columns: ['name', 'due', 'next'] }),
  createCommand('job run', 'jobs.run', 'job run link_expiry', { args: ['name'] }),
  createCommand('snapshot', 'snapshots.list', 'snapshot', {
    columns: ['name', 'scenario', 'seed', 'clock.now', 'bytes'],
    isWorldless: true,
  }),
  createCommand('snapshot save', 'snapshots.create', 'snapshot save before --world mine', { args: ['name?'] }),
  createCommand('snapshot restore', 'snapshots.restore', 'snapshot restore before --world mine', { args: ['name'] }),
  ...snapshotFileCommands,
  createCommand('snapshot delete', 'snapshots.remove', 'snapshot delete before', { args: ['name'], isWorldless: true }),
  stripeCommand,
  ...contractsCommands,
]

export const commands: readonly Command[] = [...controls, createMcpCommand(controls)]
